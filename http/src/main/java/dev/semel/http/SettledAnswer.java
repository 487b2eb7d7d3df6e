// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/**
 * A final answer, either of an attempt that ran now or from the store.
 *
 * @param fresh null if the answer is from the store
 * @param stored null if the attempt ran now; not decoded yet
 * @param expiry the expiry of an answer of an attempt that ran now
 */
record SettledAnswer(@Nullable ApiResult fresh, @Nullable StoredResult stored, Expiry expiry) {
    static SettledAnswer now(ApiResult result, Expiry expiry) {
        return new SettledAnswer(result, null, expiry);
    }

    static SettledAnswer before(StoredResult stored) {
        return new SettledAnswer(null, stored, new Expiry(null));
    }
}
