// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonString;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An event that stands in the ledger. Two are equal if all of them is. */
public final class LedgerEvent {
    private final UUID id;
    private final String orgId;
    private final Instant createdAt;

    /** Put together when it is asked for: whoever brings events by the thousand wants to know their ids only. */
    private final Supplier<JsonObject> given;

    LedgerEvent(UUID id, String orgId, Instant createdAt, Supplier<JsonObject> given) {
        this.id = Objects.requireNonNull(id, "An event's id must not be null");
        this.orgId = Objects.requireNonNull(orgId, "An event's organization must not be null");
        this.createdAt = Objects.requireNonNull(createdAt, "An event's moment must not be null");
        this.given = Objects.requireNonNull(given, "An event must not be null");
    }

    public UUID id() {
        return id;
    }

    public String orgId() {
        return orgId;
    }

    /** By the database's clock. */
    public Instant createdAt() {
        return createdAt;
    }

    /** What its writer gave, {@code org_id} included. */
    public JsonObject given() {
        return given.get();
    }

    /** The whole event: {@code id}, the same as {@code event_id}, what was given, and {@code created_at}. */
    public JsonObject json() {
        JsonString name = new JsonString(id.toString());
        JsonObject.Builder whole = new JsonObject.Builder().put("id", name).put("event_id", name);
        given().members().forEach(whole::putIfAbsent);
        return whole.put("created_at", new JsonString(createdAt.toString())).build();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LedgerEvent event && json().equals(event.json());
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /** Leaves out what it holds: events are other people's. */
    @Override
    public String toString() {
        return "LedgerEvent[" + id + "]";
    }
}
