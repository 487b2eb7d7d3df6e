// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Terms;
import java.time.Duration;

/**
 * The payment that an event confirms or requests: two different events about one payment are processed once.
 *
 * @param scope {@code payment_confirmation} or {@code payment_request}
 * @param key which payment of the tenant's
 * @param ttl for how long another event about it is recognised
 */
public record InboxPayment(String scope, String key, Duration ttl) {
    public InboxPayment {
        // Checked here, so that an entry that exists can be claimed.
        new ClaimKey("any", scope, key).key();
        Terms.DEFAULT.withTtl(ttl);
    }

    /** Leaves the key out. */
    @Override
    public String toString() {
        return "InboxPayment[" + scope + "]";
    }
}
