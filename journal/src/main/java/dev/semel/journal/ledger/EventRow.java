// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.NamedValues;
import dev.semel.journal.rows.GroupRow;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry that is to be written. If the database holds an event with this row's id, this row was committed.
 *
 * @param ref holds the hash of the key as its digest
 */
record EventRow(UUID id, ClaimRef ref, LedgerEntry entry) implements GroupRow, NamedValues {
    static EventRow of(LedgerEntry entry) {
        return new EventRow(OrderedIds.next(), refOf(entry), entry);
    }

    static ClaimRef refOf(LedgerEntry entry) {
        return new ClaimRef(entry.orgId(), new Digest(entry.keyHash().bytes()));
    }

    @Override
    public Object key() {
        return ref;
    }

    /** A switch instead of a map for each row, because a batch has thousands of rows. */
    @Override
    public @Nullable Object get(String name) {
        EventText text = entry.text();
        return switch (name) {
            case "key_hash" -> ref.digest().bytes();
            case "idempotency_key" -> entry.idempotencyKey();
            case "id" -> id.toString();
            case "org_id" -> text.orgId();
            case "actor_id" -> text.actorId();
            case "event_type" -> text.eventType();
            case "entity_type" -> text.entityType();
            case "entity_id" -> text.entityId();
            case "payload" -> text.payload();
            case "members" -> text.members();
            default -> throw new IllegalArgumentException("There is no parameter named " + name);
        };
    }

    @Override
    public long size() {
        return entry.text().size() + entry.idempotencyKey().length();
    }
}
