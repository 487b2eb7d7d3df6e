// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.payload.compare.Difference;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that happened at the gate, for metrics and people. Holds no key and no content.
 *
 * @param keyPrefix which event it was about, in 16 characters; empty where it was about a whole delivery
 * @param difference where a duplicate differs from the first, for {@link Kind#DIFFERS}
 * @param replay who sends an event again and why, for {@link Kind#REPLAYED}
 */
public record WebhookNotice(
        Kind kind,
        String tenant,
        String provider,
        String keyPrefix,
        Optional<Difference> difference,
        Optional<EventReplay> replay) {
    /** What can happen. */
    public enum Kind {
        /** An event was processed. */
        PROCESSED,
        /** An event had been processed before. */
        DUPLICATE,
        /** An event was not processed, because another had confirmed or requested the same payment. */
        PAYMENT_DUPLICATE,
        /** A duplicate has other content than what was processed; comes with {@link #DUPLICATE}. */
        DIFFERS,
        /** An event failed. */
        FAILED,
        /** A duplicate was told to come again, because the first is still at it. */
        IN_PROGRESS,
        /** The store did not answer. */
        UNAVAILABLE,
        /** An event could not be read, or had no key. */
        INVALID,
        /** A delivery was refused: it is not its sender's. */
        REFUSED,
        /** A delivery was accepted that nobody could verify. */
        UNVERIFIED,
        /** An operator sends an event again. */
        REPLAYED
    }

    public WebhookNotice {
        Objects.requireNonNull(kind, "A kind must not be null");
        Objects.requireNonNull(tenant, "A tenant must not be null");
        Objects.requireNonNull(provider, "A provider must not be null");
        Objects.requireNonNull(keyPrefix, "A prefix must not be null: it may be empty");
        Objects.requireNonNull(difference, "A difference must not be null: it may be empty");
        Objects.requireNonNull(replay, "A replay must not be null: it may be empty");
    }
}
