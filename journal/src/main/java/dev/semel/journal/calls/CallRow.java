// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.journal.rows.GroupRow;
import dev.semel.journal.rows.RowValues;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call event that is to be written. If the database holds a call with this row's id, this row was committed.
 *
 * @param ref identifies the signature; null without one
 */
record CallRow(UUID id, @Nullable ClaimRef ref, CallEvent call, String body) implements GroupRow {
    static CallRow of(CallEvent call) {
        String hash = call.signatureHash();
        ClaimRef ref = hash == null
                ? null
                : new ClaimRef(
                        call.siteId(),
                        new Digest(Fingerprint.of("call-event", call.siteId(), hash)
                                .bytes()));
        return new CallRow(UUID.randomUUID(), ref, call, call.text());
    }

    @Override
    public Object key() {
        return ref == null ? id : ref;
    }

    @Override
    public long size() {
        return 512L + body.length();
    }

    RowValues values() {
        return RowValues.none()
                .put("id", id.toString())
                .put("site_id", call.siteId())
                .put("signature_hash", call.signatureHash())
                .put("verified", call.verified())
                .put("body", body);
    }
}
