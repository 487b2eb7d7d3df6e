// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** After the faults have ended, a caller that must get a final answer gets one. */
final class EverythingSettles implements Rule {
    private final Set<Long> finalCalls = new HashSet<>();

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Asked asked && asked.mustSettle()) {
            finalCalls.add(asked.call());
        } else if (event instanceof Told told
                && finalCalls.contains(told.call())
                && !told.answer().isFinal()) {
            broken.accept("a caller was told " + told.answer() + " although no faults are left");
        }
    }
}
