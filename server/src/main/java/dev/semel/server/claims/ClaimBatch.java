// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.server.http.Answer;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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

    /** @param room how many bytes the results in the answer may have */
    CompletionStage<Answer> claim(String tenant, List<ClaimRequest> all, int room) {
        if (rate.tryTake(tenant, all.size()).isEmpty()) {
            return outcomes(tenant, all, all.size()).thenApply(outcomes -> answer(all, outcomes, room));
        }
        // Keys that are known are not new ones, and their answers are owed beyond the bound.
        return claiming.areKnown(
                        all.stream().map(one -> results.refsOf(one.key())).toList())
                .thenCompose(known -> claimWithinBound(tenant, all, known, room));
    }

    private CompletionStage<Answer> claimWithinBound(
            String tenant, List<ClaimRequest> all, List<Boolean> known, int room) {
        int fresh = (int) known.stream().filter(one -> !one).count();
        Optional<Problem> tooMany = rate.tryTake(tenant, fresh);
        if (tooMany.isEmpty()) {
            return outcomes(tenant, all, fresh).thenApply(outcomes -> answer(all, outcomes, room));
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
        return outcomes(tenant, owed, 0).thenApply(outcomes -> {
            Iterator<ClaimOutcome> next = outcomes.iterator();
            BatchAnswer answer = new BatchAnswer(results, room);
            for (int i = 0; i < all.size(); i++) {
                if (known.get(i)) {
                    answer.add(all.get(i), next.next());
                } else {
                    answer.add(ClaimVerdict.refused(tooMany.get()).body());
                }
            }
            return answer.answer();
        });
    }

    private CompletionStage<List<ClaimOutcome>> outcomes(String tenant, List<ClaimRequest> requests, int taken) {
        return claiming.claimAll(requests).thenApply(outcomes -> {
            long fresh = outcomes.stream().filter(ClaimVerdict::isNew).count();
            rate.giveBack(tenant, taken, (int) fresh);
            return outcomes;
        });
    }

    private Answer answer(List<ClaimRequest> all, List<ClaimOutcome> outcomes, int room) {
        if (outcomes.stream().allMatch(ClaimOutcome.Unavailable.class::isInstance)) {
            return Problem.of(ProblemType.STORE_UNAVAILABLE, "The database does not answer; nothing was claimed")
                    .retryAfter(STORE_PAUSE)
                    .answer();
        }
        BatchAnswer answer = new BatchAnswer(results, room);
        for (int i = 0; i < all.size(); i++) {
            answer.add(all.get(i), outcomes.get(i));
        }
        return answer.answer();
    }
}
