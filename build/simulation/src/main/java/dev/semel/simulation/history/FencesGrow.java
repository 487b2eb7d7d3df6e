// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Granted;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Every grant of a claim has a greater fence than the one before, even if the claim was deleted in between. */
final class FencesGrow implements Rule {
    private final Map<String, Granted> latest = new HashMap<>();

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Granted granted) {
            Granted before = latest.get(granted.ref());
            boolean again = before != null && before.token().equals(granted.token());
            if (before != null && !again && before.at() <= granted.from() && before.fence() >= granted.fence()) {
                broken.accept("a fence did not grow; before it was " + before.fence());
            }
            if (before == null || before.at() <= granted.from()) {
                latest.put(granted.ref(), granted);
            }
        }
    }
}
