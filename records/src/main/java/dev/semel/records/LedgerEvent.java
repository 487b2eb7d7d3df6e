// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.content.json.Json;
import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonString;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * An event that stands in the ledger.
 *
 * @param createdAt by the database's clock
 * @param given what its writer gave, {@code org_id} included
 */
public record LedgerEvent(UUID id, String orgId, Instant createdAt, JsonObject given) {
    public LedgerEvent {
        Objects.requireNonNull(id, "An event's id must not be null");
        Objects.requireNonNull(orgId, "An event's organization must not be null");
        Objects.requireNonNull(createdAt, "An event's moment must not be null");
        Objects.requireNonNull(given, "An event must not be null");
    }

    /** The whole event: {@code id}, the same as {@code event_id}, what was given, and {@code created_at}. */
    public JsonObject json() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("id", new JsonString(id.toString()));
        members.put("event_id", new JsonString(id.toString()));
        given.members().forEach(members::putIfAbsent);
        members.put("created_at", new JsonString(createdAt.toString()));
        return new JsonObject(members);
    }
}
