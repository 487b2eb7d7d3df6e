// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.simulation.history.HistoryEvent;
import dev.semel.simulation.history.HistoryEvent.GivenBack;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Ran;
import dev.semel.simulation.history.HistoryEvent.Settled;
import java.util.HashMap;
import java.util.Map;

/** The grants whose work has not begun. A process that has one relies on its clock, so that must not stand still. */
final class UnbegunGrants {
    private final Map<String, Granted> byToken = new HashMap<>();

    void see(HistoryEvent event) {
        if (event instanceof Granted granted) {
            byToken.put(granted.token(), granted);
        } else if (event instanceof GivenBack back) {
            byToken.remove(back.token());
        } else if (event instanceof Settled settled) {
            byToken.remove(settled.token());
        } else if (event instanceof Ran ran) {
            byToken.values()
                    .removeIf(granted -> granted.record().equals(ran.record()) && granted.fence() == ran.fence());
        }
    }

    boolean has(String process) {
        return byToken.values().stream().anyMatch(granted -> granted.process().equals(process));
    }
}
