// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Granted;
import java.util.function.Consumer;

/** Nobody is granted a claim while another owner's lease lasts. */
final class ExclusiveLeases implements Rule {
    private final Grants grants;

    ExclusiveLeases(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Granted granted && grants.of(granted.token()) == null) {
            Grants.Grant earlier = grants.latest(granted.ref());
            if (earlier != null && earlier.surelyHeldAt(granted.from()) && earlier.surelyHeldAt(granted.at())) {
                broken.accept("a claim was granted that %s held until %d"
                        .formatted(earlier.granted.process(), earlier.heldUntil));
            }
        }
    }
}
