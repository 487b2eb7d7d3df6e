// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCasesTest {
    @AutoClose
    private final CaseServer server = new CaseServer();

    HttpCasesTest() throws Exception {}

    @Test
    void everyCaseCanBeReadAndHasAUniqueName() {
        List<Case> all = HttpCases.all().toList();

        assertThat(all).hasSizeGreaterThan(200).extracting(Case::name).doesNotHaveDuplicates();
        assertThat(all).allSatisfy(one -> assertThat(one.steps("x")).isNotEmpty());
    }

    @Test
    void everyRouteCanBeRead() {
        assertThat(CaseRoute.all())
                .hasSize(10)
                .extracting(route -> route.path().toString())
                .doesNotHaveDuplicates();
        assertThat(CaseRoute.maxRequestBytes()).isEqualTo(1 << 20);
    }

    /** A case that passes without idempotency handling would prove nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "201 is final and replayed",
                "503 releases the key",
                "A request to /pay without a key is answered with 400",
                "A body that is too large is answered with 413",
                "Invalid JSON is rejected before the request runs: a name twice",
                "A different query is a different request",
                "granit-1151: only the first client receives Set-Cookie",
                "suna-5267: tenants are isolated",
                "An exception is answered with 500 and releases the key",
                "The header X-Idempotency-Status of the application does not reach the client"
            })
    void aCaseFailsWithoutIdempotencyHandling(String name) {
        assertThatThrownBy(() -> test(name).getExecutable().execute()).isInstanceOf(AssertionError.class);
    }

    @Test
    void casesThatPassThroughSucceedWithoutIdempotencyHandling() throws Throwable {
        test("A path without a route passes through").getExecutable().execute();
        test("A request that passes through arrives unchanged").getExecutable().execute();
        test("Off: a key is ignored").getExecutable().execute();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"send\": {\"target\": \"/a\"}, \"expect\": {\"sttaus\": 200}}",
                "{\"send\": {\"target\": \"/a\", \"boddy\": \"x\"}, \"expect\": {}}",
                "{\"send\": {\"target\": \"/a\"}}",
                "{\"same\": \"unknown\", \"expect\": {}}",
                "{\"open\": \"gate\", \"more\": 1}",
                "{\"expect\": {}}"
            })
    void anInvalidStepIsRejected(String step) {
        Json json =
                Json.parse("{\"name\": \"n\", \"steps\": [%s]}".formatted(step).getBytes(StandardCharsets.UTF_8));

        assertThatIllegalArgumentException().isThrownBy(() -> Case.of(json).forEach(one -> one.steps("x")));
    }

    private DynamicTest test(String name) {
        return HttpCases.on(new CaseTarget(server.uri(), server.uri()))
                .filter(one -> one.getDisplayName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
