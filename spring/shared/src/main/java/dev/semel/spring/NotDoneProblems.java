// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.NotDoneException;
import dev.semel.http.ApiAnswer;
import dev.semel.http.Problems;
import dev.semel.payload.json.JsonString;
import dev.semel.servlet.IdempotencyFilter;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * The response for a {@link NotDoneException} that leaves a controller: problem+json, with the statuses of the servlet filter.
 * An {@code @ExceptionHandler} of the application takes precedence.
 */
@ControllerAdvice
final class NotDoneProblems {
    private static final Problems PROBLEMS = new Problems("urn:semel:problem:");
    private static final Duration STORE_PAUSE = Duration.ofSeconds(2);

    @ExceptionHandler(NotDoneException.class)
    ResponseEntity<byte[]> handle(NotDoneException failure, HttpServletRequest request) {
        return response(answer(failure, request.getAttribute(IdempotencyFilter.ATTEMPT) != null));
    }

    /** @param stored whether a final status would be stored as the answer of the request's own key */
    private static ApiAnswer answer(NotDoneException failure, boolean stored) {
        if (failure instanceof NotDoneException.InProgress running) {
            return PROBLEMS.problem(
                            stored ? 503 : 409,
                            "request-in-progress",
                            "The operation is in progress",
                            "Another request with the same key is still in progress. Send the same request again later")
                    .with("Retry-After", seconds(running.retryAfter()));
        }
        if (failure instanceof NotDoneException.Mismatch) {
            return PROBLEMS.problem(
                    422,
                    "mismatch",
                    "The key is already used",
                    "The key was used for a different request. Use a new key for a new operation");
        }
        if (failure instanceof NotDoneException.Rejected rejected) {
            return PROBLEMS.problem(
                    422,
                    "rejected",
                    rejected.code(),
                    "The operation was rejected: " + rejected.code(),
                    Map.of("code", new JsonString(rejected.code())));
        }
        if (failure instanceof NotDoneException.Unavailable) {
            return PROBLEMS.problem(
                            503,
                            "store-unavailable",
                            "Database unavailable",
                            "The database is unavailable. The operation did not run")
                    .with("Retry-After", seconds(STORE_PAUSE));
        }
        if (failure instanceof NotDoneException.Unknown) {
            return PROBLEMS.problem(
                    stored ? 500 : 409,
                    "outcome-unknown",
                    "Outcome unknown",
                    "It is unknown whether an earlier attempt took effect. The operation does not run again until an operator"
                            + " resolves it");
        }
        if (failure instanceof NotDoneException.ResultNotKept) {
            return PROBLEMS.problem(
                    409,
                    "result-not-kept",
                    "The result was not kept",
                    "The operation took effect earlier, but its result was not kept. It did not run again");
        }
        return failure instanceof NotDoneException.Unsettled
                ? PROBLEMS.problem(
                        500,
                        "outcome-not-stored",
                        "The outcome was not stored",
                        "The operation ran, but its outcome could not be stored. A retry may run it again")
                : PROBLEMS.problem(
                        500, "failed", "The operation failed", "The operation failed and does not run again");
    }

    private static ResponseEntity<byte[]> response(ApiAnswer answer) {
        ResponseEntity.BodyBuilder builder = ResponseEntity.status(answer.status());
        answer.headers().forEach(line -> builder.header(line.name(), line.value()));
        return builder.body(answer.body());
    }

    private static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }
}
