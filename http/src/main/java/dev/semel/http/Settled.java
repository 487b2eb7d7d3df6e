// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/**
 * An answer for good: of an attempt that ran now, or as it was stored.
 *
 * @param fresh null if it was stored
 * @param stored null if the attempt ran now; not read yet
 * @param expiry of an attempt that ran now
 */
record Settled(@Nullable ApiResult fresh, @Nullable StoredResult stored, Expiry expiry) {
    static Settled now(ApiResult result, Expiry expiry) {
        return new Settled(result, null, expiry);
    }

    static Settled before(StoredResult stored) {
        return new Settled(null, stored, new Expiry(null));
    }
}
