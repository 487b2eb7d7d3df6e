// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.sql.NamedValues;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry on its way to the ledger. An event that is found with its id is this one, committed.
 *
 * @param ref whose digest is the key's hash
 */
record EventRow(UUID id, ClaimRef ref, LedgerEntry entry) implements GroupRow, NamedValues {
    static EventRow of(LedgerEntry entry) {
        return new EventRow(OrderedIds.next(), refOf(entry), entry);
    }

    static ClaimRef refOf(LedgerEntry entry) {
        return new ClaimRef(entry.orgId(), new Digest(entry.name().bytes()));
    }

    @Override
    public Object key() {
        return ref;
    }

    /** What its row binds, without a map a row: there are thousands in a batch. */
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
            default -> throw new IllegalArgumentException("No parameter is named " + name);
        };
    }

    @Override
    public long size() {
        return entry.text().size() + entry.idempotencyKey().length();
    }
}
