// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * A claim's outcome as an HTTP response.
 *
 * @param status the status code if this is the whole response
 * @param word the value of X-Idempotency-Status
 * @param problem present if the outcome is an error
 */
record ClaimVerdict(
        int status,
        Optional<String> word,
        JsonObject body,
        Optional<Duration> retryAfter,
        Optional<ProblemType> problem) {
    private static final Duration STORE_PAUSE = Duration.ofSeconds(2);

    static ClaimVerdict of(RequestedClaim request, ClaimOutcome outcome, ResultWriter results) {
        ClaimKind kind = request.kind();
        if (outcome instanceof ClaimOutcome.Granted granted) {
            return plain(201, "MISS", claimed(granted.claim(), request, results));
        }
        if (outcome instanceof ClaimOutcome.Succeeded succeeded) {
            JsonObject.Builder body = status(kind.succeeded());
            results.replay(request.key(), succeeded.result(), body);
            body.put("cached", new JsonBoolean(true));
            return plain(200, "HIT", body);
        }
        if (outcome instanceof ClaimOutcome.Failed failed) {
            JsonObject.Builder body = status(kind.failed());
            results.replay(request.key(), failed.result(), body);
            body.put("cached", new JsonBoolean(true));
            return plain(200, "HIT", body);
        }
        if (outcome instanceof ClaimOutcome.InProgress running) {
            Duration pause = running.retryAfter();
            JsonObject.Builder body = status(kind.inProgress());
            body.put("retry_after_ms", JsonNumber.of(pause.toMillis()));
            return new ClaimVerdict(
                    202, Optional.of("IN_PROGRESS"), body.build(), Optional.of(pause), Optional.empty());
        }
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return problem(
                    "mismatch", "CONFLICT", ProblemType.MISMATCH, "The key was used before with another fingerprint");
        }
        if (outcome instanceof ClaimOutcome.Unknown unknown) {
            return problem("unknown", "CONFLICT", ProblemType.OUTCOME_UNKNOWN, unknown.reason());
        }
        ClaimVerdict unavailable = problem(
                "unavailable", "", ProblemType.STORE_UNAVAILABLE, "The database is unavailable; nothing was claimed");
        return new ClaimVerdict(
                unavailable.status(),
                Optional.empty(),
                unavailable.body(),
                Optional.of(STORE_PAUSE),
                unavailable.problem());
    }

    /** Creates the verdict for a claim beyond the limit of new keys. Nothing was claimed. */
    static ClaimVerdict refused(ProblemDetail tooMany) {
        return problem("refused", "", tooMany.type(), tooMany.detail());
    }

    /** Returns whether the claim created a new row. */
    static boolean isNew(ClaimOutcome outcome) {
        return outcome instanceof ClaimOutcome.Granted granted
                && granted.claim().origin() == Claim.Origin.FIRST;
    }

    private static JsonObject.Builder claimed(Claim claim, RequestedClaim request, ResultWriter results) {
        JsonObject.Builder body = status(request.kind().claimed());
        body.put("claim_id", new JsonString(claim.ref().digest().hex()));
        body.put(
                "token",
                new JsonString(results.tokenOf(request.storage(), claim.token()).text()));
        body.put("attempt", JsonNumber.of(claim.attempt()));
        body.put("lease_seconds", JsonNumber.of(claim.terms().lease().toSeconds()));
        body.put("fence", JsonNumber.of(claim.fence()));
        body.put("origin", new JsonString(claim.origin().name().toLowerCase(Locale.ROOT)));
        return body;
    }

    private static JsonObject.Builder status(String word) {
        JsonObject.Builder body = new JsonObject.Builder();
        body.put("status", new JsonString(word));
        return body;
    }

    private static ClaimVerdict plain(int status, String word, JsonObject.Builder body) {
        return new ClaimVerdict(status, Optional.of(word), body.build(), Optional.empty(), Optional.empty());
    }

    private static ClaimVerdict problem(String status, String word, ProblemType type, String detail) {
        JsonObject.Builder body = status(status);
        body.put("type", new JsonString(type.url()));
        body.put("detail", new JsonString(detail));
        return new ClaimVerdict(type.status(), Optional.of(word), body.build(), Optional.empty(), Optional.of(type));
    }
}
