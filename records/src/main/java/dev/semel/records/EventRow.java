// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import java.util.UUID;

/**
 * An entry on its way to the ledger. An event that is found with its id is this one, committed.
 *
 * @param ref whose digest is the key's hash
 */
record EventRow(UUID id, ClaimRef ref, LedgerEntry entry) implements Row {
    static EventRow of(LedgerEntry entry) {
        Fingerprint hash = Fingerprint.of("ledger", entry.orgId(), entry.idempotencyKey());
        return new EventRow(UUID.randomUUID(), new ClaimRef(entry.orgId(), new Digest(hash.bytes())), entry);
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
