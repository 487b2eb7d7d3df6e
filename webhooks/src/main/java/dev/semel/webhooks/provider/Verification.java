// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The result of verifying a delivery's signature. */
public sealed interface Verification {
    /**
     * The signature is valid.
     *
     * @param transmission if the signature covers only a weak checksum of the body: the transmission, under which only one body
     *     may be accepted
     */
    record Verified(Optional<Transmission> transmission) implements Verification {
        public Verified {
            Objects.requireNonNull(transmission, "A transmission must not be null: it may be empty");
        }
    }

    /**
     * The identity of a signed transmission.
     *
     * @param id unique among the deliveries of all senders and tenants
     * @param keep for how long a delivery can be verified, with a margin
     */
    record Transmission(String id, Duration keep) {
        public Transmission {
            Objects.requireNonNull(id, "An id must not be null");
            Objects.requireNonNull(keep, "A duration must not be null");
        }

        /** Omits the id, because it is the sender's data. */
        @Override
        public String toString() {
            return "Transmission[kept " + keep + "]";
        }
    }

    /** The delivery cannot be verified: its sender does not sign it, or no secret is configured. */
    record Unsigned() implements Verification {}

    /** The signature is missing or invalid. The reason contains nothing of the delivery. */
    record Refused(String why) implements Verification {}

    /** The delivery cannot be verified now, for example because a certificate is unavailable. */
    record Unavailable(String why) implements Verification {}

    Verification VERIFIED = new Verified(Optional.empty());
    Verification UNSIGNED = new Unsigned();
    Verification MISSING = new Refused("the signature is missing");
    Verification MALFORMED = new Refused("the signature is malformed");
    Verification WRONG = new Refused("the signature does not match");
    Verification OUT_OF_TIME = new Refused("the signed timestamp is too old or in the future");

    static Verification of(boolean matches) {
        return matches ? VERIFIED : WRONG;
    }
}
