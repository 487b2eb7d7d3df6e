// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Decided;
import dev.semel.simulation.history.HistoryEvent.Forgotten;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Settled;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A claim that was settled for good is not granted again, and not settled differently, while its answer is kept. */
final class FinalStaysFinal implements Rule {
    private final Grants grants;
    private final Map<String, Answered> answers = new HashMap<>();

    FinalStaysFinal(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Settled settled && settled.certain()) {
            Grants.Grant grant = grants.of(settled.token());
            if (grant == null) {
                broken.accept("a claim was settled by a token that was never granted");
                return;
            }
            Grants.Grant owner = grants.latest(grant.granted.ref());
            if (owner != null && owner != grant && owner.granted.at() < settled.from()) {
                broken.accept("a claim was settled although " + owner.granted.process() + " owns it");
            }
            Answered before = answers.get(grant.granted.ref());
            if (before != null && settled.at() < before.until && before.ending != settled.ending()) {
                broken.accept("a claim was settled again, differently");
            }
            if (settled.ending().isFinal() && (before == null || settled.at() >= before.until)) {
                answers.put(
                        grant.granted.ref(),
                        new Answered(settled.at(), settled.from() + settled.keptFor(), settled.ending()));
            }
        } else if (event instanceof Decided decided && decided.ending().isFinal()) {
            answers.put(decided.ref(), new Answered(decided.at(), decided.at() + decided.keptFor(), decided.ending()));
        } else if (event instanceof Forgotten forgotten) {
            answers.remove(forgotten.ref());
        } else if (event instanceof Granted granted && grants.of(granted.token()) == null) {
            Answered before = answers.get(granted.ref());
            if (before != null && granted.from() > before.at && granted.at() < before.until) {
                broken.accept("a claim was granted again, although its answer is kept until " + before.until);
            }
        }
    }

    private record Answered(long at, long until, HistoryEvent.Ending ending) {}
}
