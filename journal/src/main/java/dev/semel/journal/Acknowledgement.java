// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.StoreException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of acknowledging an event of the inbox. */
public sealed interface Acknowledgement {
    /** It is acknowledged now. */
    record Accepted() implements Acknowledgement {}

    /** It was acknowledged before, and that stays. */
    record Before(Instant at, @Nullable String by) implements Acknowledgement {}

    /** This tenant has no such event. */
    record Unknown() implements Acknowledgement {}

    /** It is not known to be acknowledged; send it again. */
    record Failed(StoreException cause) implements Acknowledgement {}
}
