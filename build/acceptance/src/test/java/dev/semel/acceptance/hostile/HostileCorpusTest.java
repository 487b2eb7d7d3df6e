// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The corpus is large, has no duplicates, and each case is invalid by construction. */
class HostileCorpusTest {
    private static List<HostileCase> all() {
        List<HostileCase> all = new ArrayList<>(HostileCorpus.development());
        all.addAll(HostileCorpus.slow());
        all.addAll(BrokenTokens.cases("a-token", "ab".repeat(32)));
        return all;
    }

    @Test
    void isLargeAndHasNothingTwice() {
        assertThat(all()).hasSizeGreaterThanOrEqualTo(300);
        assertThat(all()).extracting(HostileCase::name).doesNotHaveDuplicates();
        Set<String> requests = new HashSet<>();
        assertThat(HostileCorpus.development())
                .allSatisfy(each -> assertThat(requests.add(new String(each.bytes(), StandardCharsets.ISO_8859_1)))
                        .as(each.name())
                        .isTrue());
    }

    @Test
    void startsFromDocumentsThatAreRight() {
        for (Endpoint endpoint : Endpoint.all()) {
            assertThatCode(() -> Json.parse(endpoint.valid().getBytes(StandardCharsets.UTF_8)))
                    .doesNotThrowAnyException();
            for (String pointer : endpoint.texts()) {
                assertThat(BrokenFields.changed(endpoint, pointer, null))
                        .isNotEqualTo(endpoint.body().encode());
            }
        }
    }

    @Test
    void breaksEveryDocument() {
        for (Endpoint endpoint : Endpoint.all()) {
            BrokenJson.ways().forEach((name, way) -> {
                byte[] broken = way.apply(endpoint.valid().getBytes(StandardCharsets.UTF_8));
                assertThatThrownBy(() -> Json.parse(broken))
                        .as("%s with %s", endpoint, name)
                        .isInstanceOf(JsonException.class);
            });
        }
    }

    @Test
    void changesOneMemberToWhatItMayNotBe() {
        for (Endpoint endpoint : Endpoint.all()) {
            endpoint.optional()
                    .forEach((pointer, values) ->
                            values.forEach(value -> assertThat(BrokenFields.changed(endpoint, pointer, value))
                                    .isNotEqualTo(endpoint.body().encode())));
        }
    }

    @Test
    void isWellFormedWhereItSaysSo() {
        for (HostileCase each : HostileCorpus.development()) {
            if (each.kind() == HostileCase.Kind.CONTENT) {
                String head = new String(each.bytes(), StandardCharsets.ISO_8859_1).split("\r\n\r\n", 2)[0];
                assertThat(head.lines().findFirst().orElseThrow())
                        .as(each.name())
                        .matches("[A-Za-z]+ /[\\x21-\\x7e]* HTTP/1\\.1");
                assertThat(head.lines().skip(1))
                        .as(each.name())
                        .allMatch(line -> line.matches("[A-Za-z0-9-]+: [\\x20-\\x7e]*"));
                assertThat(Arrays.stream(head.split("\r\n")).filter(line -> line.startsWith("Host:")))
                        .as(each.name())
                        .hasSize(1);
            }
        }
    }
}
