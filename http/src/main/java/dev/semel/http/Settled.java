// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import org.jspecify.annotations.Nullable;

/**
 * An answer for good: of an attempt that ran now, or as it was stored.
 *
 * @param fresh null if it was stored
 * @param stored null if the attempt ran now, or if what is stored cannot be read
 */
record Settled(@Nullable ApiResult fresh, @Nullable StoredAnswer stored, Expiry expiry) {
    static Settled now(ApiResult result, Expiry expiry) {
        return new Settled(result, null, expiry);
    }

    /** What is stored cannot be read: its secret is not alive any more. */
    static Settled unreadable() {
        return new Settled(null, null, new Expiry(null));
    }

    static Settled before(StoredAnswer stored) {
        return new Settled(null, stored, stored.expiry());
    }
}
