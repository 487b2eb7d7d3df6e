// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.claim.StoredResult;
import dev.semel.operations.PaymentKey;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.ShownKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Claims, and says in HTTP what came of it: for claims, steps and payments alike. */
public final class ClaimDoor {
    private static final int BYTES_OF_A_VERDICT = 1_024;
    private static final Duration STORE_PAUSE = Duration.ofSeconds(2);

    private final Claiming claiming;
    private final ClaimResults results;
    private final NewKeys newKeys;
    private final ClaimBatch batch;

    public ClaimDoor(Claiming claiming, ClaimResults results, NewKeyRate rate) {
        this.claiming = claiming;
        this.results = results;
        this.newKeys = new NewKeys(claiming, results, rate);
        this.batch = new ClaimBatch(claiming, results, newKeys);
    }

    CompletionStage<Answer> claim(Exchange exchange, ClaimBody request) {
        String tenant = exchange.tenant();
        List<ClaimBody> one = List.of(request);
        Optional<Problem> tooMany = newKeys.tryTake(tenant, one);
        if (tooMany.isPresent()) {
            // A key that is known is not a new one, and its answer is owed.
            return newKeys.areKnown(one)
                    .thenCompose(known -> known.get(0)
                            ? claiming.claim(request).thenCompose(outcome -> answer(exchange, request, outcome))
                            : CompletableFuture.completedStage(tooMany.get().answer()));
        }
        return claiming.claim(request).thenCompose(outcome -> {
            newKeys.giveBack(tenant, one, List.of(outcome), List.of(true));
            return answer(exchange, request, outcome);
        });
    }

    private CompletionStage<Answer> answer(Exchange exchange, ClaimBody request, ClaimOutcome outcome) {
        exchange.charge().takeForStored(sizeOf(outcome));
        AnswerResults first = AnswerResults.of(results);
        Answer answer = answer(request, outcome, first);
        if (first.unopened().isEmpty()) {
            return CompletableFuture.completedStage(answer);
        }
        exchange.charge().takeForStored(sizeOf(outcome));
        return claiming.recordsOf(first.unopened())
                .thenApply(records -> answer(request, outcome, first.with(records)))
                .exceptionally(away -> Problem.of(
                                ProblemType.STORE_UNAVAILABLE, "The database does not answer; nothing was claimed")
                        .retryAfter(STORE_PAUSE)
                        .answer()
                        .with("X-Idempotency-Key", shown(request)));
    }

    private Answer answer(ClaimBody request, ClaimOutcome outcome, AnswerResults told) {
        ClaimVerdict verdict = ClaimVerdict.of(request, outcome, told);
        Answer answer = verdict.problem()
                .map(type -> Problem.of(type, detail(verdict)).answer())
                .orElseGet(() -> Answer.json(verdict.status(), verdict.body()));
        answer = answer.with("X-Idempotency-Key", shown(request));
        if (verdict.word().isPresent()) {
            answer = answer.with("X-Idempotency-Status", verdict.word().get());
        }
        if (verdict.word().filter("HIT"::equals).isPresent()) {
            answer = answer.with("Idempotent-Replayed", "true");
        }
        return verdict.retryAfter().isPresent()
                ? answer.retryAfter(verdict.retryAfter().get())
                : answer;
    }

    private static String detail(ClaimVerdict verdict) {
        return verdict.body().members().get("detail") instanceof JsonString text ? text.value() : "";
    }

    /** For what no header takes the claim's id stands in. A payment's key is shown masked. */
    private String shown(ClaimBody request) {
        String key = request.kind() == ResultKind.PAYMENT
                ? PaymentKey.masked(request.key().key())
                : request.key().key().key();
        return ShownKey.of(key, () -> claiming.refOf(request).digest().hex());
    }

    /** All of them in one round trip; the verdicts stand in the order of the claims. */
    CompletionStage<Answer> claimAll(Exchange exchange, List<ClaimBody> all) {
        // Before anything is claimed: a token that cannot be told would be lost.
        exchange.charge().take((long) BYTES_OF_A_VERDICT * all.size());
        int room = exchange.charge().takeForAnswer(BatchAnswer.MAX_RESULT_BYTES);
        return batch.claim(exchange, all, room);
    }

    private static long sizeOf(ClaimOutcome outcome) {
        StoredResult result = outcome instanceof ClaimOutcome.Succeeded succeeded
                ? succeeded.result()
                : outcome instanceof ClaimOutcome.Failed failed ? failed.result() : null;
        return result == null ? 0 : result.size();
    }
}
