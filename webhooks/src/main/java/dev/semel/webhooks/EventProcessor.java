// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Processes the distinct events of one delivery with the gate's sink. */
interface EventProcessor {
    /**
     * Processes or stores the new events.
     *
     * @param deadline until when a duplicate may wait for the first delivery, by {@link System#nanoTime()}
     * @return the status of each event, in the same order; never fails
     */
    CompletionStage<List<EventStatus>> deliver(List<IncomingEvent> events, long deadline);

    /** Processes an event again although it was processed before. Its claim stores the actor and the reason. */
    CompletionStage<EventStatus> replay(IncomingEvent event, EventReplay order);
}
