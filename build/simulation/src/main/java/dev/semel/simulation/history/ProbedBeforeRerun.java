// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Probed;
import dev.semel.simulation.history.HistoryEvent.Ran;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** If the owner of a claim that must be reconciled disappears, nothing runs before a probe has said that nothing was done. */
final class ProbedBeforeRerun implements Rule {
    private final Grants grants;
    private final Set<String> probed = new HashSet<>();

    ProbedBeforeRerun(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Probed probe) {
            probed.add(probe.record() + " " + probe.fence());
        } else if (event instanceof Ran ran
                && ownerDisappeared(ran)
                && !probed.contains(ran.record() + " " + ran.fence())) {
            broken.accept("work began again, and no probe was asked");
        }
    }

    /** Whether the last owner that may have run left no settlement. Those that gave the claim back changed nothing. */
    private boolean ownerDisappeared(Ran ran) {
        List<Grants.Grant> all = grants.ofRecord(ran.record());
        int next = all.indexOf(grants.of(ran.record(), ran.fence())) - 1;
        while (next >= 0 && all.get(next).givenBack && !all.get(next).decided) {
            next--;
        }
        return next >= 0 && all.get(next).granted.probes() && !all.get(next).released;
    }
}
