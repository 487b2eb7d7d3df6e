// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Ran;
import java.util.function.Consumer;

/** Work begins only under a grant whose lease lasts, and at most once for each grant. */
final class RunsUnderLease implements Rule {
    private final Grants grants;

    RunsUnderLease(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (!(event instanceof Ran ran)) {
            return;
        }
        Grants.Grant grant = grants.of(ran.record(), ran.fence());
        if (grant == null) {
            broken.accept("work began without a grant");
        } else if (grant.hasRun) {
            broken.accept("work began twice under one grant");
        } else if (ran.at() >= grant.lapsedAfter) {
            broken.accept("work began after its lease, which lasted until " + grant.lapsedAfter);
        } else if (ran.at() > grant.endedBy) {
            broken.accept("work began after its claim was settled or given back");
        } else {
            Grants.Grant latest = grants.latest(grant.granted.ref());
            if (latest != null && latest != grant && latest.granted.at() < ran.at()) {
                broken.accept("work began although " + latest.granted.process() + " owns the claim");
            }
        }
    }
}
