// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.payload.compare.Difference;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers of the door itself: problem+json with stable types. The titles are those of the IETF draft where it has one.
 *
 * @param types what stands before the name of a problem in its type
 */
public record Problems(String types) {
    ApiAnswer missingKey(Profile profile) {
        return problem(
                profile.missing(),
                "idempotency-key-missing",
                "Idempotency-Key is missing",
                "This operation is idempotent and requires the header Idempotency-Key: send 1 to 255 visible ASCII"
                        + " characters, a new key for every new operation and the same key for every retry of it");
    }

    ApiAnswer malformedKey(String why) {
        return problem(400, "idempotency-key-malformed", "Idempotency-Key is malformed", why);
    }

    ApiAnswer badBody(String why) {
        return problem(
                400, "invalid-json", "The body is not JSON", "The Content-Type says JSON, but the body is not: " + why);
    }

    /** @param difference where the requests differ; never holds a value */
    ApiAnswer mismatch(Profile profile, Difference difference) {
        Map<String, Json> more = new LinkedHashMap<>();
        if (!difference.changes().isEmpty()) {
            List<Json> all = new ArrayList<>();
            difference.changes().forEach(change -> all.add(new JsonString(change.pointer())));
            more.put("differs", new JsonArray(all));
        }
        return problem(
                profile.mismatch(),
                "mismatch",
                "Idempotency-Key is already used",
                "The key was used for another request. Use a new key for a new operation",
                more);
    }

    /** 202 with a plain body, or an error with a problem: as the profile says. */
    ApiAnswer inProgress(Profile profile, Duration retryAfter) {
        ApiAnswer answer = profile.inProgress() == 202
                ? new ApiAnswer(
                        202,
                        List.of(new HeaderLine("Content-Type", "application/json")),
                        new JsonObject.Builder()
                                .put("status", new JsonString("in_progress"))
                                .put("retry_after_ms", JsonNumber.of(retryAfter.toMillis()))
                                .build()
                                .utf8())
                : problem(
                        profile.inProgress(),
                        "request-in-progress",
                        "A request is outstanding for this Idempotency-Key",
                        "The first request with this key is still running; send the same request again later");
        return answer.with("Retry-After", seconds(retryAfter));
    }

    ApiAnswer unknown() {
        return problem(
                409,
                "outcome-unknown",
                "The outcome is unknown",
                "An attempt was sent and got no whole answer, so that it is not known whether it took effect. It is not run"
                        + " again until somebody decides");
    }

    ApiAnswer unreadable() {
        return problem(
                500,
                "stored-answer-unreadable",
                "The stored answer cannot be read",
                "The request took effect before, but the secret that encrypted its answer is not alive any more. Add it"
                        + " back to previous secrets; nothing was run again");
    }

    ApiAnswer unavailable() {
        return problem(
                        503,
                        "store-unavailable",
                        "The database does not answer",
                        "The database does not answer; nothing was run")
                .with("Retry-After", "2");
    }

    /** A problem of a door. */
    public ApiAnswer problem(int status, String type, String title, String detail) {
        return problem(status, type, title, detail, Map.of());
    }

    private ApiAnswer problem(int status, String type, String title, String detail, Map<String, Json> more) {
        Map<String, Json> body = new LinkedHashMap<>();
        body.put("type", new JsonString(types + type));
        body.put("title", new JsonString(title));
        body.put("status", JsonNumber.of(status));
        body.put("detail", new JsonString(detail));
        body.putAll(more);
        return new ApiAnswer(
                status,
                List.of(
                        new HeaderLine("Content-Type", "application/problem+json"),
                        new HeaderLine("Cache-Control", "no-store")),
                new JsonObject(body).utf8());
    }

    /** Whole seconds, at least one: what Retry-After takes. */
    private static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }
}
