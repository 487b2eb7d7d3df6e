// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Held;
import java.util.function.Consumer;

/** No process holds more than its limit. */
final class QueuesAreBounded implements Rule {
    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Held held && held.count() > held.limit()) {
            broken.accept("more %s than %d".formatted(held.what(), held.limit()));
        }
    }
}
