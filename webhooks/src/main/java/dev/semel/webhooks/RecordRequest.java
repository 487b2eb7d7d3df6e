// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.webhooks.provider.EventKeys.Strength;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A request to store an event unless it is already stored.
 *
 * @param key tenant, scope {@code webhook:<provider>}, the event's key and its aliases, which all lead to one record. A weak
 *     key already includes a digest of the content, so the same weak key with other content is another event
 * @param strength the strength of the sender's key
 * @param payment the payment that the event confirms or requests. If another event has claimed it, this event is settled
 *     without being stored
 * @param ttl how long the event's claim is kept
 * @param paymentTtl how long the payment's claim is kept
 * @param prefix the 16 characters that identify the event in logs and answers; contains nothing of the sender's key
 * @param fingerprint a fingerprint of the content. An event with the same key and other content is not stored again
 */
public record RecordRequest(
        AliasedKey key,
        Strength strength,
        Optional<ClaimKey> payment,
        Duration ttl,
        Duration paymentTtl,
        String prefix,
        Fingerprint fingerprint,
        WebhookEvent event) {
    public RecordRequest {
        Objects.requireNonNull(key, "A key must not be null");
        Objects.requireNonNull(strength, "A strength must not be null");
        Objects.requireNonNull(payment, "A payment must not be null: it may be empty");
        Objects.requireNonNull(ttl, "A TTL must not be null");
        Objects.requireNonNull(paymentTtl, "A TTL must not be null");
        Objects.requireNonNull(prefix, "A prefix must not be null");
        Objects.requireNonNull(fingerprint, "A fingerprint must not be null");
        Objects.requireNonNull(event, "An event must not be null");
    }
}
