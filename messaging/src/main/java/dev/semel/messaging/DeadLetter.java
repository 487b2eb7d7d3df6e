// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a message is given up.
 *
 * @param id the same whenever this letter is passed to the sink again, for example after a crash: a sink that stores letters by
 *     id keeps one
 * @param attempts how often the message was tried; 0 if it was not
 * @param detail the class name of the exception, or a reason; never the message of an exception, which may contain user data
 * @param cause the exception, if it was thrown now
 */
public record DeadLetter(
        String id,
        Reason reason,
        int attempts,
        String detail,
        @Nullable Throwable cause) {
    public DeadLetter {
        Objects.requireNonNull(id, "A letter's id must not be null");
        Objects.requireNonNull(reason, "A letter's reason must not be null");
        Objects.requireNonNull(detail, "A letter's detail must not be null");
        if (attempts < 0) {
            throw new IllegalArgumentException("The number of attempts must not be negative, but is " + attempts);
        }
    }

    /** Why a message is given up. */
    public enum Reason {
        /** Every attempt failed, or the last one's consumer disappeared. */
        ATTEMPTS_EXHAUSTED,
        /** The handler failed with an exception that is classified as final. */
        PERMANENT_FAILURE,
        /** It is unknown whether the effect happened. A person has to decide; the claim stays unknown until then. */
        UNKNOWN_OUTCOME,
        /** The key belongs to another message, with another fingerprint. Nothing ran. */
        KEY_REUSED,
        /** The message has no valid key, or could not be read. Nothing ran. */
        UNREADABLE
    }
}
