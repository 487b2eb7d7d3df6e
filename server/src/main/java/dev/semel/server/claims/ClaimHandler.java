// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.claim.StoredResult;
import dev.semel.http.HeaderLine;
import dev.semel.operations.PaymentKey;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.KeyHeader;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Runs claims and creates the HTTP responses. Used for claims, steps and payments. */
public final class ClaimHandler {
    private static final int BYTES_OF_A_VERDICT = 1_024;
    private static final Duration STORE_PAUSE = Duration.ofSeconds(2);

    private final ClaimSender sender;
    private final ClaimResults results;
    private final NewKeyLimit newKeys;
    private final ClaimBatch batch;

    public ClaimHandler(ClaimSender sender, ClaimResults results, NewKeyRate rate) {
        this.sender = sender;
        this.results = results;
        this.newKeys = new NewKeyLimit(sender, results, rate);
        this.batch = new ClaimBatch(sender, results, newKeys);
    }

    CompletionStage<HttpAnswer> claim(RequestContext context, RequestedClaim request) {
        String tenant = context.tenant();
        List<RequestedClaim> one = List.of(request);
        Optional<ProblemDetail> tooMany = newKeys.tryTake(tenant, one);
        if (tooMany.isPresent()) {
            // A known key is not new, so it is answered even beyond the limit.
            return newKeys.areKnown(one)
                    .thenCompose(known -> known.get(0)
                            ? sender.claim(request).thenCompose(outcome -> answer(context, request, outcome))
                            : CompletableFuture.completedStage(tooMany.get().answer()));
        }
        return context.onLoop(sender.claim(request)).thenCompose(outcome -> {
            newKeys.giveBack(tenant, one, List.of(outcome), List.of(true));
            return answer(context, request, outcome);
        });
    }

    private CompletionStage<HttpAnswer> answer(RequestContext context, RequestedClaim request, ClaimOutcome outcome) {
        context.charge().takeForStored(sizeOf(outcome));
        ResultWriter first = ResultWriter.of(results);
        HttpAnswer answer = answer(request, outcome, first);
        if (first.unopened().isEmpty()) {
            return CompletableFuture.completedStage(answer);
        }
        context.charge().takeForStored(sizeOf(outcome));
        return sender.recordsOf(first.unopened())
                .thenApply(records -> answer(request, outcome, first.with(records)))
                .exceptionally(unavailable -> ProblemDetail.of(
                                ProblemType.STORE_UNAVAILABLE, "The database is unavailable; nothing was claimed")
                        .retryAfter(STORE_PAUSE)
                        .answer()
                        .with("X-Idempotency-Key", shown(request)));
    }

    private HttpAnswer answer(RequestedClaim request, ClaimOutcome outcome, ResultWriter writer) {
        ClaimVerdict verdict = ClaimVerdict.of(request, outcome, writer);
        HttpAnswer answer = verdict.problem().isPresent()
                ? ProblemDetail.of(verdict.problem().get(), detail(verdict)).answer()
                : HttpAnswer.json(verdict.status(), verdict.body());
        List<HeaderLine> lines = new ArrayList<>(3);
        lines.add(new HeaderLine("X-Idempotency-Key", shown(request)));
        if (verdict.word().isPresent()) {
            String word = verdict.word().get();
            lines.add(new HeaderLine("X-Idempotency-Status", word));
            if (word.equals("HIT")) {
                lines.add(new HeaderLine("Idempotent-Replayed", "true"));
            }
        }
        answer = answer.with(lines);
        return verdict.retryAfter().isPresent()
                ? answer.retryAfter(verdict.retryAfter().get())
                : answer;
    }

    private static String detail(ClaimVerdict verdict) {
        return verdict.body().members().get("detail") instanceof JsonString text ? text.value() : "";
    }

    /**
     * Returns the key for the response header. A key that does not fit into a header is replaced by the claim's id. The
     * key of a payment is masked.
     */
    private String shown(RequestedClaim request) {
        String key = request.kind() == ClaimKind.PAYMENT
                ? PaymentKey.masked(request.key().key())
                : request.key().key().key();
        return KeyHeader.of(key, () -> sender.refOf(request).digest().hex());
    }

    /** Claims all in one round trip. The verdicts are in the order of the claims. */
    CompletionStage<HttpAnswer> claimAll(RequestContext context, List<RequestedClaim> all) {
        // Reserve memory before claiming: a token that cannot be returned would be lost.
        context.charge().take((long) BYTES_OF_A_VERDICT * all.size());
        int room = context.charge().takeForAnswer(BatchAnswer.MAX_RESULT_BYTES);
        return batch.claim(context, all, room);
    }

    private static long sizeOf(ClaimOutcome outcome) {
        StoredResult result = outcome instanceof ClaimOutcome.Succeeded succeeded
                ? succeeded.result()
                : outcome instanceof ClaimOutcome.Failed failed ? failed.result() : null;
        return result == null ? 0 : result.size();
    }
}
