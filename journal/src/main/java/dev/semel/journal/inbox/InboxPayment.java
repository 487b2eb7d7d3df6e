// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Terms;
import java.time.Duration;

/**
 * The payment that an event confirms or requests. Of several events about one payment, only the first is processed.
 *
 * @param scope {@code payment_confirmation} or {@code payment_request}
 * @param key identifies the payment within the tenant
 * @param ttl how long further events about the payment are recognized
 */
public record InboxPayment(String scope, String key, Duration ttl) {
    public InboxPayment {
        // Fails now if the key or the TTL is invalid.
        new ClaimKey("any", scope, key).key();
        Terms.DEFAULT.withTtl(ttl);
    }

    /** Does not contain the key. */
    @Override
    public String toString() {
        return "InboxPayment[" + scope + "]";
    }
}
