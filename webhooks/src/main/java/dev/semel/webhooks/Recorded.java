// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.payload.compare.Difference;
import java.util.Objects;
import java.util.Optional;

/** What came of an event that was to be stored. */
public sealed interface Recorded {
    /** It is stored, and so is its claim. */
    record Stored() implements Recorded {}

    /**
     * It was there before.
     *
     * @param difference if what was stored then has other content: where, as far as that is known
     */
    record Before(Optional<Difference> difference) implements Recorded {
        public Before {
            Objects.requireNonNull(difference, "A difference must not be null: it may be empty");
        }
    }

    /** Another event of the same payment was stored before; this one is settled as done. */
    record PaymentDuplicate() implements Recorded {}

    /** Somebody else is at it: nobody knows yet what comes of it. */
    record InProgress() implements Recorded {}

    /** It could not be stored: nothing is. */
    record Unavailable() implements Recorded {}
}
