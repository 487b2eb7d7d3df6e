// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTextTest {
    /** The first answer is built from the sent event, later ones from the stored columns. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'org_id': 'o', 'event_type': 't'}",
                "{'payload': {'b': 1.0, 'a': [1e2, null]}, 'event_type': 't', 'org_id': 'o'}",
                "{'zeta': 1, 'entity_id': 7, 'entity_type': 'order', 'org_id': 'o', 'actor_id': null, 'event_type': 't'}",
                "{'org_id': 'o', 'event_type': 't', 'actor_id': 'a\\nb', 'payload': null, 'alpha': {'x': 'é\\ud83d\\ude00'}}",
                "{'more': [], 'org_id': 'o', 'event_type': 't', 'actor_id': 'a', 'entity_type': true, 'entity_id': 'e'}",
            })
    void theSentEventAndTheStoredEventAreEqual(String json) {
        JsonObject given = (JsonObject) Json.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));

        assertThat(text(LedgerEntry.of("k", given).event()))
                .isEqualTo(text(EventText.of(given).event()));
    }

    /** The bytes are built from texts, the document from members. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'org_id': 'o', 'event_type': 't'}",
                "{'zeta': {'k': [1.50, null]}, 'entity_id': 7, 'org_id': 'Zoë \\'s', 'actor_id': null, 'event_type': 't\\\\'}",
                "{'payload': {'b': 1.0, 'a': '\\u0001\\ud83d\\ude00'}, 'event_type': 't', 'org_id': 'o', 'actor_id': 'a\\n', 'x': 1}",
                "{'payload': null, 'entity_type': 'order', 'entity_id': 'e', 'actor_id': 'a', 'event_type': 't', 'org_id': 'o'}",
            })
    void theBytesAreThoseOfTheDocument(String json) {
        JsonObject given = (JsonObject)
                Json.parse(json.replace("\\'", "\\\"").replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        UUID id = UUID.fromString("0190b6a4-0000-7000-8000-000000000001");
        Instant moment = Instant.parse("2026-11-16T10:00:00.000001Z");
        LedgerEvent sent = new LedgerEvent(id, moment, LedgerEntry.of("k", given));

        assertThat(new String(sent.utf8(), StandardCharsets.UTF_8)).isEqualTo(text(sent.json()));
        assertThat(sent.utf8()).isEqualTo(new LedgerEvent(id, moment, EventText.of(given)).utf8());
    }

    private static String text(Json json) {
        return new String(json.utf8(), StandardCharsets.UTF_8);
    }
}
