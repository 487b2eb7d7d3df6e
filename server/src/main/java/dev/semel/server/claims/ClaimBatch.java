// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Claims several keys of one tenant together and responds in their order. */
final class ClaimBatch {
    private static final Duration STORE_PAUSE = Duration.ofSeconds(2);

    private final ClaimSender sender;
    private final ClaimResults results;
    private final NewKeyLimit newKeys;

    ClaimBatch(ClaimSender sender, ClaimResults results, NewKeyLimit newKeys) {
        this.sender = sender;
        this.results = results;
        this.newKeys = newKeys;
    }

    /** @param room maximum total bytes of the results in the response */
    CompletionStage<HttpAnswer> claim(RequestContext context, List<RequestedClaim> all, int room) {
        String tenant = context.tenant();
        if (newKeys.tryTake(tenant, all).isEmpty()) {
            return outcomes(tenant, all, Collections.nCopies(all.size(), true))
                    .thenCompose(outcomes -> answer(context, all, outcomes, room));
        }
        // Known keys are not new, so they are answered even beyond the limit.
        return newKeys.areKnown(all).thenCompose(known -> claimWithinBound(context, all, known, room));
    }

    private CompletionStage<HttpAnswer> claimWithinBound(
            RequestContext context, List<RequestedClaim> all, List<Boolean> known, int room) {
        String tenant = context.tenant();
        List<RequestedClaim> owed = select(all, known, true);
        List<RequestedClaim> fresh = select(all, known, false);
        Optional<ProblemDetail> tooMany = newKeys.tryTake(tenant, fresh);
        if (tooMany.isEmpty()) {
            return outcomes(tenant, all, known.stream().map(one -> !one).toList())
                    .thenCompose(outcomes -> answer(context, all, outcomes, room));
        }
        if (owed.isEmpty()) {
            throw tooMany.get().asException();
        }
        return outcomes(tenant, owed, Collections.nCopies(owed.size(), false))
                .thenCompose(outcomes -> opened(context, writer -> {
                    Iterator<ClaimOutcome> next = outcomes.iterator();
                    BatchAnswer answer = new BatchAnswer(writer, room);
                    for (int i = 0; i < all.size(); i++) {
                        if (known.get(i)) {
                            answer.add(all.get(i), next.next());
                        } else {
                            answer.add(ClaimVerdict.refused(tooMany.get()).body());
                        }
                    }
                    return answer.answer();
                }));
    }

    private static List<RequestedClaim> select(List<RequestedClaim> all, List<Boolean> known, boolean wanted) {
        return IntStream.range(0, all.size())
                .filter(i -> known.get(i) == wanted)
                .mapToObj(all::get)
                .toList();
    }

    private CompletionStage<List<ClaimOutcome>> outcomes(
            String tenant, List<RequestedClaim> requests, List<Boolean> taken) {
        return sender.claimAll(requests).thenApply(outcomes -> {
            newKeys.giveBack(tenant, requests, outcomes, taken);
            return outcomes;
        });
    }

    private CompletionStage<HttpAnswer> answer(
            RequestContext context, List<RequestedClaim> all, List<ClaimOutcome> outcomes, int room) {
        if (outcomes.stream().allMatch(ClaimOutcome.Unavailable.class::isInstance)) {
            return CompletableFuture.completedStage(
                    ProblemDetail.of(ProblemType.STORE_UNAVAILABLE, "The database is unavailable; nothing was claimed")
                            .retryAfter(STORE_PAUSE)
                            .answer());
        }
        return opened(context, writer -> {
            BatchAnswer answer = new BatchAnswer(writer, room);
            for (int i = 0; i < all.size(); i++) {
                answer.add(all.get(i), outcomes.get(i));
            }
            return answer.answer();
        });
    }

    /**
     * Creates the response, a second time if results can only be decrypted with the references of their records. If
     * these cannot be read, such results are omitted, because the response may contain tokens of granted claims.
     */
    private CompletionStage<HttpAnswer> opened(RequestContext context, Function<ResultWriter, HttpAnswer> made) {
        ResultWriter first = ResultWriter.of(results);
        HttpAnswer answer = made.apply(first);
        if (first.unopened().isEmpty()) {
            return CompletableFuture.completedStage(answer);
        }
        return CompletableFuture.completedStage(first.unopened())
                .thenCompose(names -> {
                    context.charge().takeForAnswer(BatchAnswer.MAX_RESULT_BYTES);
                    return sender.recordsOf(names);
                })
                .thenApply(records -> made.apply(first.with(records)))
                .exceptionally(noRoomOrAway -> answer);
    }
}
