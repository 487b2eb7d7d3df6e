// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.payload.compare.Difference;
import java.util.Objects;

/**
 * A notice about something that happened at a gate, for metrics and alerts. Contains no key and no content. The
 * {@code keyPrefix} of a notice is the 16 characters that identify the event in logs and answers.
 */
public sealed interface WebhookNotice {
    String tenant();

    /** The name of the gate's provider. */
    String provider();

    /** An event has an outcome. */
    record EventOutcome(String tenant, String provider, String keyPrefix, EventStatus status) implements WebhookNotice {
        public EventOutcome {
            check(tenant, provider, keyPrefix);
            Objects.requireNonNull(status, "A status must not be null");
        }
    }

    /** A duplicate has other content than the processed event. Its {@link EventOutcome} follows. */
    record ContentDiffers(String tenant, String provider, String keyPrefix, Difference difference)
            implements WebhookNotice {
        public ContentDiffers {
            check(tenant, provider, keyPrefix);
            Objects.requireNonNull(difference, "A difference must not be null");
        }
    }

    /** An operator replays an event. Its {@link EventOutcome} follows. */
    record Replayed(String tenant, String provider, String keyPrefix, EventReplay order) implements WebhookNotice {
        public Replayed {
            check(tenant, provider, keyPrefix);
            Objects.requireNonNull(order, "A replay must not be null");
        }
    }

    /** A delivery was refused because its signature could not be verified. */
    record DeliveryRefused(String tenant, String provider) implements WebhookNotice {
        public DeliveryRefused {
            check(tenant, provider, "");
        }
    }

    /** A delivery was accepted without verification. */
    record UnverifiedDelivery(String tenant, String provider) implements WebhookNotice {
        public UnverifiedDelivery {
            check(tenant, provider, "");
        }
    }

    private static void check(String tenant, String provider, String keyPrefix) {
        Objects.requireNonNull(tenant, "A tenant must not be null");
        Objects.requireNonNull(provider, "A provider must not be null");
        Objects.requireNonNull(keyPrefix, "A prefix must not be null: it is empty for an unreadable event");
    }
}
