// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.GivenBack;
import dev.semel.simulation.history.HistoryEvent.Renewed;
import java.util.function.Consumer;

/** Only the owner renews a claim or gives it back, and a claim whose work has begun is not given back. */
final class OnlyOwnersAct implements Rule {
    private final Grants grants;

    OnlyOwnersAct(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Renewed renewed) {
            mustOwn(renewed.token(), renewed.from(), "renewed", broken);
        } else if (event instanceof GivenBack back) {
            mustOwn(back.token(), back.from(), "given back", broken);
            Grants.Grant grant = grants.of(back.token());
            if (grant != null && grant.hasRun) {
                broken.accept("a claim was given back although its work had begun");
            }
        }
    }

    private void mustOwn(String token, long from, String what, Consumer<String> broken) {
        Grants.Grant grant = grants.of(token);
        if (grant == null) {
            broken.accept("a claim was %s by a token that was never granted".formatted(what));
            return;
        }
        Grants.Grant owner = grants.latest(grant.granted.ref());
        if (owner != null && owner != grant && owner.granted.at() < from) {
            broken.accept("a claim was %s although %s owns it".formatted(what, owner.granted.process()));
        } else if (grant.endedBy < from) {
            broken.accept("a claim was %s after it was settled or given back".formatted(what));
        }
    }
}
