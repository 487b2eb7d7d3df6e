// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import java.util.function.Consumer;

/** One thing that holds in every history. It sees the events in the order of their times. */
public interface Rule {
    /** Reports what is wrong with this event after all earlier ones. */
    void see(HistoryEvent event, Consumer<String> broken);

    /** Reports what is missing at the end. */
    default void end(Consumer<String> broken) {}
}
