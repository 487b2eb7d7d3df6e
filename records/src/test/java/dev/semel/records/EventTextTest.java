// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.content.json.Json;
import dev.semel.content.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTextTest {
    /** The first answer is made from what was sent, every later one from what is stored. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'org_id': 'o', 'event_type': 't'}",
                "{'payload': {'b': 1.0, 'a': [1e2, null]}, 'event_type': 't', 'org_id': 'o'}",
                "{'zeta': 1, 'entity_id': 7, 'entity_type': 'order', 'org_id': 'o', 'actor_id': null, 'event_type': 't'}",
                "{'org_id': 'o', 'event_type': 't', 'actor_id': 'a\\nb', 'payload': null, 'alpha': {'x': 'é\\ud83d\\ude00'}}",
                "{'more': [], 'org_id': 'o', 'event_type': 't', 'actor_id': 'a', 'entity_type': true, 'entity_id': 'e'}",
            })
    void anEventIsTheSameFromWhatWasSentAndFromWhatIsStored(String json) {
        JsonObject given = (JsonObject) Json.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));

        assertThat(text(LedgerEntry.of("k", given).event()))
                .isEqualTo(text(EventText.of(given).event()));
    }

    private static String text(Json json) {
        return new String(json.utf8(), StandardCharsets.UTF_8);
    }
}
