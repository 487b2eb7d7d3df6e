// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.Digest;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event in the inbox.
 *
 * @param eventType the provider's name for this kind of event; null if it has none
 * @param claim the digest of the event's claim
 * @param keyPrefix a word such as {@code ev_}, followed by the first characters of the claim's digest; it does not reveal the key
 * @param verified whether the signature was verified
 * @param payloadHash SHA-256 of the body, in hexadecimal
 * @param receivedAt the time of writing, by the database's clock
 * @param ackedAt the time at which a consumer acknowledged the event; null until then
 * @param ackedBy the consumer that acknowledged the event
 */
public record InboxEvent(
        UUID id,
        String tenant,
        String provider,
        @Nullable String eventType,
        Digest claim,
        String keyPrefix,
        boolean verified,
        String payloadHash,
        Instant receivedAt,
        @Nullable Instant ackedAt,
        @Nullable String ackedBy,
        InboxContent content) {
    /** The scope of the event's claim. */
    public String scope() {
        return InboxEntry.scope(provider);
    }
}
