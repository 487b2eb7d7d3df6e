// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.StoreException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The outcome of giving an inbox event back. */
public sealed interface InboxReturn {
    /** The event can be taken again. */
    record Returned() implements InboxReturn {}

    /** The event was acknowledged. Nothing changed. */
    record Acknowledged(Instant at, @Nullable String by) implements InboxReturn {}

    /** The lease has ended and another consumer has taken the event, or the token never held it. Nothing changed. */
    record Lost() implements InboxReturn {}

    /** The tenant has no such event. */
    record Unknown() implements InboxReturn {}

    /** The effect is unknown. Give the event back again, or let the lease end. */
    record Failed(StoreException cause) implements InboxReturn {}
}
