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
 * An event to be stored unless it was.
 *
 * @param key tenant, scope {@code webhook:<provider>}, the event's key and its aliases: one record for all of them. A
 *     weak key holds the body's digest already, so that the same key with another body is another event
 * @param strength what the sender's key was
 * @param payment the payment that it confirms or asks for: if another event's claim on it is there, this one is settled
 *     as done without being stored
 * @param ttl how long the event's claim is kept
 * @param paymentTtl how long the payment's claim is kept
 * @param prefix the 16 characters by which logs and answers name it; nothing of the sender's key
 * @param fingerprint of the event's content; other content under the same key is no reason to store it again
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
