// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Deals with the events of one delivery, no two of which are the same. */
interface EventProcessor {
    /**
     * Handles or stores those that are new.
     *
     * @param deadline until when a duplicate may wait for the first, by {@link System#nanoTime()}
     * @return what came of each, in their order; never fails
     */
    CompletionStage<List<EventStatus>> deliver(List<IncomingEvent> events, long deadline);

    /** Processes an event again, though it was; the record of it says who and why. */
    CompletionStage<EventStatus> again(IncomingEvent event, EventReplay replay);
}
