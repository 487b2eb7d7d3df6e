// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An event that stands in the ledger. Two are equal if all of them is. */
public final class LedgerEvent {
    private static final int USUAL = 512;

    private final UUID id;
    private final String orgId;
    private final Instant createdAt;

    /** Put together when it is asked for: whoever brings events by the thousand wants to know their ids only. */
    private final Supplier<JsonObject> given;

    private final @Nullable EventText sent;

    /** How much it holds besides what was sent. */
    private final long size;

    private final boolean omitted;

    /** One that was read. */
    LedgerEvent(UUID id, Instant createdAt, EventText stored) {
        this(id, stored.orgId(), createdAt, stored::event, null, stored.size(), false);
    }

    /** One that is the same as an entry that was sent. */
    LedgerEvent(UUID id, Instant createdAt, LedgerEntry entry) {
        this(id, entry.orgId(), createdAt, entry::event, entry.text(), 0, false);
    }

    private LedgerEvent(
            UUID id,
            String orgId,
            Instant createdAt,
            Supplier<JsonObject> given,
            @Nullable EventText sent,
            long size,
            boolean omitted) {
        this.id = Objects.requireNonNull(id, "An event's id must not be null");
        this.orgId = Objects.requireNonNull(orgId, "An event's organization must not be null");
        this.createdAt = Objects.requireNonNull(createdAt, "An event's moment must not be null");
        this.given = Objects.requireNonNull(given, "An event must not be null");
        this.sent = sent;
        this.size = size;
        this.omitted = omitted;
    }

    /** The same event without its content. */
    LedgerEvent omitted() {
        return new LedgerEvent(id, orgId, createdAt, LedgerEvent::leftOut, null, 0, true);
    }

    private static JsonObject leftOut() {
        throw new IllegalStateException(
                "The event's content was left out of an answer about many entries: find the event by its id");
    }

    long size() {
        return size;
    }

    /** Whether the content was left out, which only {@link Ledger#ingestAll} does; find the event by its id to get it. */
    public boolean isOmitted() {
        return omitted;
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

    /**
     * What its writer gave, {@code org_id} included.
     *
     * @throws IllegalStateException if it was left out ({@link #isOmitted})
     */
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

    /** The bytes of {@link #json}. Of an event that was just sent, its texts are there, and no document is made of them. */
    public byte[] utf8() {
        if (sent == null) {
            return json().utf8();
        }
        StringBuilder out = new StringBuilder(USUAL);
        out.append("{\"id\":\"")
                .append(id)
                .append("\",\"event_id\":\"")
                .append(id)
                .append('"');
        sent.appendTo(out);
        out.append(",\"created_at\":\"").append(createdAt).append("\"}");
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LedgerEvent event
                && omitted == event.omitted
                && (omitted ? id.equals(event.id) : json().equals(event.json()));
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
