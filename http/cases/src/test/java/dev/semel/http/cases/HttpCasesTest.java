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
    void everyCaseCanBeReadAndHasANameOfItsOwn() {
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

    /** A case that the application alone passes would prove nothing about a door. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "201 is final and replayed",
                "503 releases the key",
                "Without a key /pay answers 400",
                "A body above the bound is 413",
                "JSON is refused before anything runs: a name twice",
                "Another query is another request",
                "granit-1151: Set-Cookie goes to the first client only",
                "suna-5267: tenants do not meet",
                "An exception is 500 and releases the key",
                "The application's own X-Idempotency-Status does not reach the client"
            })
    void withoutADoorACaseFails(String name) {
        assertThatThrownBy(() -> test(name).getExecutable().execute()).isInstanceOf(AssertionError.class);
    }

    @Test
    void whatPassesThroughNeedsNoDoor() throws Throwable {
        test("A path that no route has passes through").getExecutable().execute();
        test("What passes through arrives as it was sent").getExecutable().execute();
        test("Off: a key means nothing").getExecutable().execute();
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
    void aMistakeInAStepIsFound(String step) {
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
