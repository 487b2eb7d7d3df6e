// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.Ownership;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.payload.StoredForms;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonFields;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import dev.semel.server.http.TextChecks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/claims/{claim_id}/succeed}, {@code fail}, {@code renew} and {@code park}. The tenant is the caller's.
 * Claims of another tenant, unknown claims and claims with another owner give the same response.
 */
public final class SettlementsResource implements Resource {
    private static final String PATH = "/v1/claims/{claim_id}/";
    private static final int LONGEST_TOKEN = 255;
    private static final int LONGEST_REASON = 255;

    private final Semel semel;
    private final ClaimSender sender;
    private final ClaimResults results;
    private final NewKeyRate rate;
    private final SettledTokens settled = new SettledTokens();

    /** @param rate the tenant's limit on stored bytes; results count */
    public SettlementsResource(Semel semel, ClaimSender sender, ClaimResults results, NewKeyRate rate) {
        this.semel = semel;
        this.sender = sender;
        this.results = results;
        this.rate = rate;
    }

    @Override
    public void addTo(Routes routes) {
        routes.post(PATH + "succeed", RouteAccess.USE, this::succeed);
        routes.post(PATH + "fail", RouteAccess.USE, this::fail);
        routes.post(PATH + "renew", RouteAccess.USE, this::renew);
        routes.post(PATH + "park", RouteAccess.USE, this::park);
    }

    private CompletionStage<HttpAnswer> succeed(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        Settling settling = settling(context, fields);
        Json result = fields.any("result").orElseThrow(() -> fields.missing("result"));
        fields.done();
        return settle(context, settling, Status.SUCCEEDED, settling.stored(result), null, "succeeded");
    }

    private CompletionStage<HttpAnswer> fail(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        Settling settling = settling(context, fields);
        boolean retryable = fields.bool("retryable").orElseThrow(() -> fields.missing("retryable"));
        Json result = fields.any("result").orElse(null);
        fields.done();
        return settle(
                context,
                settling,
                retryable ? Status.RETRYABLE : Status.FAILED,
                result == null ? null : settling.stored(result),
                null,
                retryable ? "retryable" : "failed");
    }

    private CompletionStage<HttpAnswer> park(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        Settling settling = settling(context, fields);
        String reason = fields.requiredText("reason", LONGEST_REASON);
        fields.done();
        return settle(context, settling, Status.UNKNOWN, null, reason, "unknown");
    }

    private CompletionStage<HttpAnswer> renew(RequestContext context, Json body) {
        JsonFields fields = new JsonFields(body, JsonPointer.ROOT);
        Settling settling = settling(context, fields);
        Duration lease = fields.whole("lease_seconds", 1, ClaimRequests.LONGEST_LEASE_SECONDS)
                .map(Duration::ofSeconds)
                .orElse(Terms.DEFAULT.lease());
        fields.done();
        return semel.renew(settling.ref(), settling.token().owner(), lease)
                .thenApply(answer -> answered(answer, confirmed -> {
                    JsonObject.Builder members = settled(settling.ref(), "in_progress");
                    members.put(
                            "lease_seconds",
                            JsonNumber.of(confirmed.leaseLeft().plusMillis(999).toSeconds()));
                    return members;
                }));
    }

    private CompletionStage<HttpAnswer> settle(
            RequestContext context,
            Settling settling,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason,
            String word) {
        return settleWithinBound(context, settling, status, result, reason)
                .thenApply(answer -> answered(answer, confirmed -> settled(settling.ref(), word)));
    }

    /**
     * Settles if the tenant's limit allows it. A token that has settled, or cannot settle any more, stores nothing, so
     * it is answered even beyond the limit.
     */
    private CompletionStage<Ownership> settleWithinBound(
            RequestContext context,
            Settling settling,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason) {
        ClaimRef ref = settling.ref();
        OwnerToken owner = settling.token().owner();
        int size = result == null ? 0 : result.size();
        if (size == 0 || settled.contains(owner)) {
            return settleOrRecognize(context, settling, status, result, reason);
        }
        Optional<ProblemDetail> tooMuch = rate.tryTakeResult(ref.tenant(), size);
        if (tooMuch.isPresent()) {
            return sender.isOpen(ref, owner).thenCompose(open -> {
                if (open) {
                    throw tooMuch.get().asException();
                }
                return settleOrRecognize(context, settling, status, result, reason);
            });
        }
        return settleOrRecognize(context, settling, status, result, reason).thenApply(answer -> {
            if (answer instanceof Ownership.Confirmed) {
                settled.add(owner);
            } else {
                rate.giveBackResult(ref.tenant(), size);
            }
            return answer;
        });
    }

    /** Settles. Recognizes a settlement that an earlier version stored with this token in an older form. */
    private CompletionStage<Ownership> settleOrRecognize(
            RequestContext context,
            Settling settling,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason) {
        ClaimRef ref = settling.ref();
        OwnerToken owner = settling.token().owner();
        Optional<StoredResult> before = result == null ? Optional.empty() : StoredForms.unmarked(result);
        return context.onLoop(semel.settle(ref, owner, status, result, reason))
                .thenCompose(answer -> answer instanceof Ownership.Lost && before.isPresent()
                        ? semel.settle(ref, owner, status, before.get(), reason)
                        : CompletableFuture.completedStage(answer));
    }

    private static HttpAnswer answered(Ownership answer, Function<Ownership.Confirmed, JsonObject.Builder> body) {
        if (answer instanceof Ownership.Confirmed confirmed) {
            return HttpAnswer.json(200, body.apply(confirmed).build());
        }
        if (answer instanceof Ownership.Lost) {
            return lost().problem().answer();
        }
        return ProblemDetail.of(
                        ProblemType.STORE_UNAVAILABLE,
                        "The database is unavailable; send the same request again, which is safe")
                .retryAfter(Duration.ofSeconds(2))
                .answer();
    }

    private static JsonObject.Builder settled(ClaimRef ref, String word) {
        JsonObject.Builder members = new JsonObject.Builder();
        members.put("status", new JsonString(word));
        members.put("claim_id", new JsonString(ref.digest().hex()));
        return members;
    }

    private Settling settling(RequestContext context, JsonFields fields) {
        String id = context.path("claim_id");
        if (id.length() != 2 * Digest.LENGTH || !TextChecks.isHex(id, 0, id.length())) {
            throw ProblemDetail.of(ProblemType.NOT_FOUND, "A claim id must be 64 hexadecimal digits")
                    .asException();
        }
        // Malformed tokens are treated like tokens of another owner.
        ClaimToken token =
                ClaimToken.of(fields.requiredText("token", LONGEST_TOKEN)).orElseThrow(SettlementsResource::lost);
        return new Settling(new ClaimRef(context.tenant(), Digest.ofHex(id)), token, results);
    }

    private static ProblemException lost() {
        return ProblemDetail.of(
                        ProblemType.OWNERSHIP_LOST,
                        "Another caller owns the claim now, or it was settled differently; nothing was changed")
                .asException();
    }

    private record Settling(ClaimRef ref, ClaimToken token, ClaimResults results) {
        StoredResult stored(Json result) {
            return results.stored(token, ref, result);
        }
    }
}
