// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Whether a delivery is its sender's. */
public sealed interface Verification {
    /**
     * It is.
     *
     * @param transmission if the signature binds the body by less than a cryptographic hash: what it does cover, under which
     *     only one body may ever be accepted
     */
    record Verified(Optional<Transmission> transmission) implements Verification {
        public Verified {
            Objects.requireNonNull(transmission, "A transmission must not be null: it may be empty");
        }
    }

    /**
     * What a signature covers beside the body.
     *
     * @param id unique among the deliveries of all senders and tenants
     * @param keep for how long it can be verified, with a margin
     */
    record Transmission(String id, Duration keep) {
        public Transmission {
            Objects.requireNonNull(id, "An id must not be null");
            Objects.requireNonNull(keep, "A duration must not be null");
        }

        /** Leaves the id out: it is another's. */
        @Override
        public String toString() {
            return "Transmission[kept " + keep + "]";
        }
    }

    /** Nobody can tell: its sender does not sign this, or there is no secret to check it with. */
    record Unsigned() implements Verification {}

    /** It is not, or cannot be read; the reason holds nothing of what was sent. */
    record Refused(String why) implements Verification {}

    /** What is needed to tell cannot be had at the moment. */
    record Unavailable(String why) implements Verification {}

    Verification VERIFIED = new Verified(Optional.empty());
    Verification UNSIGNED = new Unsigned();
    Verification MISSING = new Refused("the signature is missing");
    Verification MALFORMED = new Refused("the signature is malformed");
    Verification WRONG = new Refused("the signature does not match");
    Verification OUT_OF_TIME = new Refused("the signed timestamp is too old, or ahead of time");

    static Verification of(boolean matches) {
        return matches ? VERIFIED : WRONG;
    }
}
