// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Granted;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A token belongs to one grant. Only the same command, sent again, has it again. */
final class TokensUsedOnce implements Rule {
    private final Map<String, Granted> used = new HashMap<>();

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Granted granted) {
            Granted first = used.putIfAbsent(granted.token(), granted);
            if (first != null
                    && (first.fence() != granted.fence() || !first.ref().equals(granted.ref()))) {
                broken.accept("a token was used twice; first at " + first.at());
            }
        }
    }
}
