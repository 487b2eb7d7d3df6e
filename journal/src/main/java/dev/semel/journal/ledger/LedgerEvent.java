// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An event in the ledger. Two events are equal if their JSON is equal. */
public final class LedgerEvent {
    private static final int USUAL = 512;

    private final UUID id;
    private final String orgId;
    private final Instant createdAt;

    /** Built on demand: callers that write thousands of events usually need only their ids. */
    private final Supplier<JsonObject> given;

    private final @Nullable EventText sent;

    /** The size of the content that was read, not counting content that the caller sent. */
    private final long size;

    private final boolean omitted;

    /** An event that was read. */
    LedgerEvent(UUID id, Instant createdAt, EventText stored) {
        this(id, stored.orgId(), createdAt, stored::event, null, stored.size(), false);
    }

    /** An event that is equal to an entry that was sent. */
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
        this.id = Objects.requireNonNull(id, "id must not be null");
        this.orgId = Objects.requireNonNull(orgId, "orgId must not be null");
        this.createdAt = Objects.requireNonNull(createdAt, "createdAt must not be null");
        this.given = Objects.requireNonNull(given, "given must not be null");
        this.sent = sent;
        this.size = size;
        this.omitted = omitted;
    }

    /** The same event without its content. */
    LedgerEvent omitted() {
        return new LedgerEvent(id, orgId, createdAt, LedgerEvent::missing, null, 0, true);
    }

    private static JsonObject missing() {
        throw new IllegalStateException(
                "The event's content was omitted from a large answer: find the event by its id");
    }

    long size() {
        return size;
    }

    /** Whether the content was omitted, which only {@link Ledger#ingestAll} does. Find the event by its id to get it. */
    public boolean isOmitted() {
        return omitted;
    }

    public UUID id() {
        return id;
    }

    public String orgId() {
        return orgId;
    }

    /** The time of writing, by the database's clock. */
    public Instant createdAt() {
        return createdAt;
    }

    /**
     * The event as its writer sent it, including {@code org_id}.
     *
     * @throws IllegalStateException if the content was omitted ({@link #isOmitted})
     */
    public JsonObject given() {
        return given.get();
    }

    /** The whole event: {@code id}, the same value as {@code event_id}, the sent members, and {@code created_at}. */
    public JsonObject json() {
        JsonString idText = new JsonString(id.toString());
        JsonObject.Builder whole = new JsonObject.Builder().put("id", idText).put("event_id", idText);
        given().members().forEach(whole::putIfAbsent);
        return whole.put("created_at", new JsonString(createdAt.toString())).build();
    }

    /** The bytes of {@link #json}. For an event that was just sent they are copied from its text, without building a document. */
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

    /** Does not contain the event, which may be confidential. */
    @Override
    public String toString() {
        return "LedgerEvent[" + id + "]";
    }
}
