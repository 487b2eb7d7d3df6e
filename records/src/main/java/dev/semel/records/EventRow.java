// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import java.util.UUID;

/**
 * An entry on its way to the ledger. An event that is found with its id is this one, committed.
 *
 * @param ref whose digest is the key's hash
 */
record EventRow(UUID id, ClaimRef ref, LedgerEntry entry) implements Row {
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

    @Override
    public long size() {
        return entry.text().size() + entry.idempotencyKey().length();
    }
}
