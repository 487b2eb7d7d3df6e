// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.webhooks.WebhookAnswer;
import dev.semel.webhooks.provider.Handshake;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Translates a gate's answers to HTTP responses. Errors become problems with a page each. */
final class WebhookAnswers {
    private WebhookAnswers() {}

    static HttpAnswer of(WebhookAnswer answer) {
        return switch (answer.kind()) {
            case PROCESSED -> keyed(answer, HttpAnswer.json(200, answer.json()), "MISS");
            case ALREADY_PROCESSED ->
                keyed(answer, HttpAnswer.json(200, answer.json()), "HIT").with("Idempotent-Replayed", "true");
            case HANDSHAKE -> handshake(answer.handshake().orElseThrow());
            case BAD_DELIVERY -> problem(answer, ProblemType.WEBHOOK_UNREADABLE);
            case REFUSED -> problem(answer, ProblemType.WEBHOOK_REFUSED);
            case WRONG_METHOD -> problem(answer, ProblemType.METHOD_NOT_ALLOWED).with("Allow", "POST");
            case TOO_LARGE -> problem(answer, ProblemType.CONTENT_TOO_LARGE);
            case FAILED -> problem(answer, ProblemType.WEBHOOK_FAILED);
            case IN_PROGRESS -> problem(answer, ProblemType.WEBHOOK_IN_PROGRESS);
            case UNAVAILABLE -> problem(answer, ProblemType.WEBHOOK_UNAVAILABLE);
        };
    }

    /** Adds the headers of a single event. With several events, the body contains the key and status of each. */
    private static HttpAnswer keyed(WebhookAnswer answer, HttpAnswer plain, String status) {
        HttpAnswer withStatus = plain.with("X-Idempotency-Status", status);
        return answer.events().size() == 1
                ? withStatus.with("X-Idempotency-Key", answer.events().get(0).keyPrefix())
                : withStatus;
    }

    private static HttpAnswer handshake(Handshake handshake) {
        return handshake.status() < 300
                ? new HttpAnswer(
                        handshake.status(),
                        "text/plain; charset=utf-8",
                        handshake.text().getBytes(StandardCharsets.UTF_8),
                        handshake.headers())
                : ProblemDetail.of(
                                ProblemType.WEBHOOK_HANDSHAKE_REFUSED,
                                "The verification request does not match the settings of this provider")
                        .answer();
    }

    private static HttpAnswer problem(WebhookAnswer answer, ProblemType type) {
        ProblemDetail problem = ProblemDetail.of(type, answer.detail());
        if (answer.retrySeconds() > 0) {
            problem = problem.retryAfter(Duration.ofSeconds(answer.retrySeconds()));
        }
        HttpAnswer plain = problem.answer();
        if (answer.events().size() < 2) {
            return plain;
        }
        Map<String, Json> members = new LinkedHashMap<>(problem.json().members());
        members.put("events", answer.eventsJson());
        return new HttpAnswer(
                plain.status(), plain.mediaType(), new JsonObject(members).utf8(), plain.headers(), plain.shared());
    }
}
