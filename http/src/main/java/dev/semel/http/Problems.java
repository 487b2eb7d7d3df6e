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
 * Error answers of Semel itself: problem+json with stable types. If the IETF draft defines a title, it is used.
 *
 * @param types the prefix of problem types
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
                400,
                "invalid-json",
                "Invalid JSON",
                "The Content-Type is JSON, but the body is not valid JSON: " + why);
    }

    /** @param difference where the requests differ, without values */
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
                "The key was used for a different request. Use a new key for a new operation",
                more);
    }

    /** 202 with a plain body, or an error with a problem, depending on the profile. */
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
                        "The first request with this key is still in progress. Send the same request again later");
        return answer.with("Retry-After", seconds(retryAfter));
    }

    ApiAnswer unknown() {
        return problem(
                409,
                "outcome-unknown",
                "Outcome unknown",
                "An earlier attempt received no complete answer, so it is unknown whether it took effect. The request"
                        + " does not run again until an operator resolves it");
    }

    ApiAnswer decidedFailed() {
        return problem(
                409,
                "decided-failed",
                "Request failed",
                "An operator decided that the earlier attempt failed. The request does not run again with this key: send it"
                        + " with a new one");
    }

    ApiAnswer unreadable() {
        return problem(
                500,
                "stored-answer-unreadable",
                "Stored response cannot be decrypted",
                "The request took effect earlier, but the secret that encrypted its answer is not active any more. Add it"
                        + " to the previous secrets. The request did not run again");
    }

    ApiAnswer unavailable() {
        return problem(
                        503,
                        "store-unavailable",
                        "Database unavailable",
                        "The database is unavailable. The request did not run")
                .with("Retry-After", "2");
    }

    /** Creates a problem. */
    public ApiAnswer problem(int status, String type, String title, String detail) {
        return problem(status, type, title, detail, Map.of());
    }

    /** Creates a problem with further members. */
    public ApiAnswer problem(int status, String type, String title, String detail, Map<String, Json> more) {
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

    /** The value of Retry-After: whole seconds, at least one. */
    private static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }
}
