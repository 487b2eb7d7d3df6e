// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Ending;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Settled;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** A claim whose outcome is unknown is not granted before its owner or a person has decided. */
final class ParkedUntilDecided implements Rule {
    private final Grants grants;
    private final Set<String> parkedTokens = new HashSet<>();

    ParkedUntilDecided(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Settled settled && settled.certain() && settled.ending() == Ending.UNKNOWN) {
            parkedTokens.add(settled.token());
        } else if (event instanceof Granted granted && grants.of(granted.token()) == null) {
            Grants.Grant before = grants.latest(granted.ref());
            if (before != null && isParked(before) && before.granted.at() < granted.from()) {
                broken.accept("a parked claim was granted before anyone decided");
            }
        }
    }

    private boolean isParked(Grants.Grant grant) {
        return !grant.released && (grant.granted.parks() || parkedTokens.contains(grant.granted.token()));
    }
}
