// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.internal.BoundedText;
import dev.semel.journal.rows.GroupRow;
import dev.semel.payload.json.JsonObject;
import java.util.List;
import java.util.Objects;

/** An event that is to be written once, by its idempotency key. */
public final class LedgerEntry {
    /** The maximum number of characters of a key. */
    public static final int MAX_KEY = 1_024;

    /** The approximate maximum number of characters of an event. */
    public static final int MAX_SIZE = GroupRow.MAX_BYTES;

    private static final List<String> RESERVED = List.of("id", "event_id", "created_at");

    private final String idempotencyKey;
    private final EventText text;
    private final JsonObject given;
    private final Fingerprint keyHash;

    private LedgerEntry(String idempotencyKey, EventText text, JsonObject given) {
        this.idempotencyKey = idempotencyKey;
        this.text = text;
        this.given = given;
        this.keyHash = keyHashOf(text.orgId(), idempotencyKey);
    }

    /**
     * An event as a client sends it.
     *
     * @param idempotencyKey the client's key, unique within the organization
     * @param event has {@code org_id} and {@code event_type} as strings; further members are allowed and stored
     * @throws IllegalArgumentException if the key or the event is invalid; the message names the member
     */
    public static LedgerEntry of(String idempotencyKey, JsonObject event) {
        BoundedText.check("idempotency_key", idempotencyKey, MAX_KEY);
        Objects.requireNonNull(event, "event must not be null");
        for (String name : RESERVED) {
            if (event.member(name).isPresent()) {
                throw new IllegalArgumentException(
                        "event.%s is assigned by the ledger: remove it, or move it into the payload".formatted(name));
            }
        }
        EventText text = EventText.of(event);
        if (text.size() > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "event must have at most %d characters, but has about %d".formatted(MAX_SIZE, text.size()));
        }
        return new LedgerEntry(idempotencyKey, text, event);
    }

    /** The organization that owns the event. */
    public String orgId() {
        return text.orgId();
    }

    public String idempotencyKey() {
        return idempotencyKey;
    }

    /** The hash of organization and key: the primary key of {@code ledger_ingestion_idempotency}. */
    public Fingerprint keyHash() {
        return keyHash;
    }

    /** The {@linkplain #keyHash hash} of an organization's key. */
    public static Fingerprint keyHashOf(String orgId, String idempotencyKey) {
        return Fingerprint.of("ledger", orgId, idempotencyKey);
    }

    /** The event, with its members in the order in which the ledger returns them. */
    public JsonObject event() {
        return text.inOrder(given);
    }

    /** The approximate number of characters that are stored. */
    public long size() {
        return text.size();
    }

    EventText text() {
        return text;
    }

    /** Contains neither the event nor the key, which may be confidential. */
    @Override
    public String toString() {
        return "LedgerEntry[" + text.size() + " characters]";
    }
}
