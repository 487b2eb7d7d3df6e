// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.Fingerprint;
import dev.semel.internal.BoundedText;
import dev.semel.payload.json.JsonObject;
import java.util.List;
import java.util.Objects;

/** An event that is to stand in the ledger once, by its key. */
public final class LedgerEntry {
    /** The most characters a key may have. */
    public static final int MAX_KEY = 1_024;

    /** The most characters an event may have, about: many of them travel together. */
    public static final int MAX_SIZE = 4 * 1024 * 1024;

    private static final List<String> GIVEN_BY_THE_LEDGER = List.of("id", "event_id", "created_at");

    private final String idempotencyKey;
    private final EventText text;
    private final JsonObject given;
    private final Fingerprint name;

    private LedgerEntry(String idempotencyKey, EventText text, JsonObject given) {
        this.idempotencyKey = idempotencyKey;
        this.text = text;
        this.given = given;
        this.name = Fingerprint.of("ledger", text.orgId(), idempotencyKey);
    }

    /**
     * An event as a client sends it.
     *
     * @param idempotencyKey the client's own name for it, unique within the organization
     * @param event holds {@code org_id} and {@code event_type} as text, and whatever else; all of it is kept
     * @throws IllegalArgumentException if it does not; the message names the member
     */
    public static LedgerEntry of(String idempotencyKey, JsonObject event) {
        BoundedText.check("idempotency_key", idempotencyKey, MAX_KEY);
        Objects.requireNonNull(event, "An event must not be null");
        for (String name : GIVEN_BY_THE_LEDGER) {
            if (event.member(name).isPresent()) {
                throw new IllegalArgumentException(
                        "event.%s is given by the ledger: leave it out, or put it into the payload".formatted(name));
            }
        }
        EventText text = EventText.of(event);
        if (text.size() > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "event must have at most %d characters, but has about %d".formatted(MAX_SIZE, text.size()));
        }
        return new LedgerEntry(idempotencyKey, text, event);
    }

    /** Whose event it is. */
    public String orgId() {
        return text.orgId();
    }

    public String idempotencyKey() {
        return idempotencyKey;
    }

    /** What organization and key are known by: the ledger's primary key. */
    public Fingerprint name() {
        return name;
    }

    /** The event, its members in the order in which the ledger gives them back. */
    public JsonObject event() {
        return text.inOrder(given);
    }

    /** About how many characters are stored of it. */
    public long size() {
        return text.size();
    }

    EventText text() {
        return text;
    }

    /** Leaves out what it holds: events and keys are other people's. */
    @Override
    public String toString() {
        return "LedgerEntry[" + text.size() + " characters]";
    }
}
