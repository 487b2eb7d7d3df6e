// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.claim.ClaimRef;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonArray;
import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonPointer;
import dev.semel.content.json.JsonString;
import dev.semel.server.http.Access;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.Fields;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** {@code POST /v1/claims} and {@code /v1/claims/batch}. */
public final class ClaimsResource implements Resource {
    private static final int LARGEST_BATCH = 1_000;
    private static final int LONGEST_SHOWN_KEY = 255;

    private final Claiming claiming;
    private final ClaimRequests requests;
    private final Results results;
    private final NewKeyRate rate;

    public ClaimsResource(Claiming claiming, ClaimRequests requests, Results results, NewKeyRate rate) {
        this.claiming = claiming;
        this.requests = requests;
        this.results = results;
        this.rate = rate;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post("/v1/claims", Access.USE, this::claim);
        routes.post("/v1/claims/batch", Access.USE, this::batch);
    }

    private CompletionStage<Answer> claim(Exchange exchange, Json body) {
        ClaimRequest request = requests.read(exchange.tenant(), body);
        rate.take(exchange.tenant(), 1);
        return claiming.claim(request).thenApply(outcome -> {
            rate.giveBack(exchange.tenant(), ClaimVerdict.isNew(outcome) ? 0 : 1);
            return answer(request, outcome);
        });
    }

    private Answer answer(ClaimRequest request, ClaimOutcome outcome) {
        ClaimRef ref = claiming.refOf(request);
        ClaimVerdict verdict = ClaimVerdict.of(request, outcome, results, ref);
        Answer answer = verdict.problem()
                .map(type -> Problem.of(type, detail(verdict)).answer())
                .orElseGet(() -> Answer.json(verdict.status(), verdict.body()));
        answer = answer.with("X-Idempotency-Key", shown(request.key().key().key(), ref));
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

    /** A header takes visible ASCII; for any other key the claim's id stands in. */
    private static String shown(String key, ClaimRef ref) {
        boolean fits = key.length() <= LONGEST_SHOWN_KEY && key.chars().allMatch(c -> c > ' ' && c < 0x7f);
        return fits ? key : ref.digest().hex();
    }

    private CompletionStage<Answer> batch(Exchange exchange, Json body) {
        Fields fields = new Fields(body, JsonPointer.ROOT);
        List<Json> elements = fields.requiredList("claims", LARGEST_BATCH);
        fields.done();
        List<ClaimRequest> all = new ArrayList<>(elements.size());
        for (Json element : elements) {
            JsonPointer at = fields.pointer("claims").child(Integer.toString(all.size()));
            all.add(requests.readElement(exchange.tenant(), element, at));
        }
        rate.take(exchange.tenant(), all.size());
        return claiming.claimAll(all).thenApply(outcomes -> {
            long fresh = outcomes.stream().filter(ClaimVerdict::isNew).count();
            rate.giveBack(exchange.tenant(), all.size() - (int) fresh);
            return verdicts(all, outcomes);
        });
    }

    private Answer verdicts(List<ClaimRequest> all, List<ClaimOutcome> outcomes) {
        if (outcomes.stream().allMatch(ClaimOutcome.Unavailable.class::isInstance)) {
            return Problem.of(ProblemType.STORE_UNAVAILABLE, "The database does not answer; nothing was claimed")
                    .retryAfter(Duration.ofSeconds(2))
                    .answer();
        }
        List<Json> verdicts = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            ClaimRequest request = all.get(i);
            verdicts.add(ClaimVerdict.of(request, outcomes.get(i), results, claiming.refOf(request))
                    .body());
        }
        return Answer.json(200, new JsonObject(Map.of("verdicts", new JsonArray(verdicts))));
    }
}
