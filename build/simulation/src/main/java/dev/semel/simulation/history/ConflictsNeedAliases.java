// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Conflicted;
import java.util.function.Consumer;

/** A key without aliases never has two records, also while its secret is replaced. */
final class ConflictsNeedAliases implements Rule {
    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Conflicted conflict && conflict.keys().size() < 2) {
            broken.accept("a key without aliases has two records");
        }
    }
}
