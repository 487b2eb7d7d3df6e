// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonArray;
import dev.semel.content.json.JsonObject;
import dev.semel.server.http.Answer;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Many claims of one tenant, claimed together and answered in their order. */
final class ClaimBatch {
    private static final Duration STORE_PAUSE = Duration.ofSeconds(2);

    private final Claiming claiming;
    private final Results results;
    private final NewKeyRate rate;

    ClaimBatch(Claiming claiming, Results results, NewKeyRate rate) {
        this.claiming = claiming;
        this.results = results;
        this.rate = rate;
    }

    CompletionStage<Answer> claim(String tenant, List<ClaimRequest> all) {
        if (rate.tryTake(tenant, all.size()).isEmpty()) {
            return claim(tenant, all, all.size()).thenApply(outcomes -> answer(all, outcomes));
        }
        // Keys that are known are not new ones, and their answers are owed beyond the bound.
        return claiming.areKnown(
                        all.stream().map(one -> results.refsOf(one.key())).toList())
                .thenCompose(known -> claimWithinBound(tenant, all, known));
    }

    private CompletionStage<Answer> claimWithinBound(String tenant, List<ClaimRequest> all, List<Boolean> known) {
        int fresh = (int) known.stream().filter(one -> !one).count();
        Optional<Problem> tooMany = rate.tryTake(tenant, fresh);
        if (tooMany.isEmpty()) {
            return claim(tenant, all, fresh).thenApply(outcomes -> answer(all, outcomes));
        }
        if (fresh == all.size()) {
            throw tooMany.get().asException();
        }
        List<ClaimRequest> owed = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (known.get(i)) {
                owed.add(all.get(i));
            }
        }
        return claim(tenant, owed, 0).thenApply(outcomes -> {
            Iterator<ClaimOutcome> next = outcomes.iterator();
            List<Json> verdicts = new ArrayList<>(all.size());
            for (int i = 0; i < all.size(); i++) {
                verdicts.add(
                        known.get(i)
                                ? verdict(all.get(i), next.next())
                                : ClaimVerdict.refused(tooMany.get()).body());
            }
            return answer(verdicts);
        });
    }

    private CompletionStage<List<ClaimOutcome>> claim(String tenant, List<ClaimRequest> requests, int taken) {
        return claiming.claimAll(requests).thenApply(outcomes -> {
            long fresh = outcomes.stream().filter(ClaimVerdict::isNew).count();
            rate.giveBack(tenant, taken, (int) fresh);
            return outcomes;
        });
    }

    private Answer answer(List<ClaimRequest> all, List<ClaimOutcome> outcomes) {
        if (outcomes.stream().allMatch(ClaimOutcome.Unavailable.class::isInstance)) {
            return Problem.of(ProblemType.STORE_UNAVAILABLE, "The database does not answer; nothing was claimed")
                    .retryAfter(STORE_PAUSE)
                    .answer();
        }
        List<Json> verdicts = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            verdicts.add(verdict(all.get(i), outcomes.get(i)));
        }
        return answer(verdicts);
    }

    private Json verdict(ClaimRequest request, ClaimOutcome outcome) {
        return ClaimVerdict.of(request, outcome, results).body();
    }

    private static Answer answer(List<Json> verdicts) {
        return Answer.json(200, new JsonObject(Map.of("verdicts", new JsonArray(verdicts))));
    }
}
