// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.StoreException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The outcome of acknowledging an inbox event. */
public sealed interface Acknowledgement {
    /** This call acknowledged the event. */
    record Accepted() implements Acknowledgement {}

    /** The event was acknowledged before. Nothing changed. */
    record Before(Instant at, @Nullable String by) implements Acknowledgement {}

    /** The lease has ended and another consumer has taken the event, or the token never held it. Nothing changed. */
    record Lost() implements Acknowledgement {}

    /** The tenant has no such event. */
    record Unknown() implements Acknowledgement {}

    /** The event is not known to be acknowledged. Send the acknowledgement again. */
    record Failed(StoreException cause) implements Acknowledgement {}
}
