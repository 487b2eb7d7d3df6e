// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call event on its way. A call that is found with its id is this one, committed.
 *
 * @param ref names the signature; null without one
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
}
