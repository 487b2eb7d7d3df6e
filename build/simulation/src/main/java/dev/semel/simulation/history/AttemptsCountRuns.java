// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Granted;
import java.util.function.Consumer;

/** An attempt counts if it may have run. One that was given back does not. */
final class AttemptsCountRuns implements Rule {
    private final Grants grants;

    AttemptsCountRuns(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Granted granted && grants.of(granted.token()) == null) {
            long counted = grants.ofRecord(granted.record()).stream()
                    .filter(grant -> !grant.givenBack)
                    .count();
            if (granted.attempt() != counted + 1) {
                broken.accept("attempt %d follows %d that may have run".formatted(granted.attempt(), counted));
            }
        }
    }
}
