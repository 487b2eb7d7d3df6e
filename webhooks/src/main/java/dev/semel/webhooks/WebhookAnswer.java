// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.webhooks.provider.Handshake;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The answer to a delivery, independent of the HTTP server.
 *
 * @param detail what is wrong; empty if nothing is. Contains nothing of the delivery
 * @param events the outcome of each event
 * @param handshake the answer to a provider's handshake
 * @param retrySeconds after how many seconds the sender should retry; 0 if a retry is pointless
 */
public record WebhookAnswer(
        Kind kind, String detail, List<Event> events, Optional<Handshake> handshake, int retrySeconds) {
    /**
     * The outcome of one event.
     *
     * @param keyPrefix the 16 characters that identify the event in logs and answers; empty if it is unreadable
     */
    public record Event(String keyPrefix, EventStatus status) {}

    /** The kinds of answers, each with its HTTP status and title. */
    public enum Kind {
        PROCESSED(200, "processed"),
        ALREADY_PROCESSED(200, "already_processed"),
        HANDSHAKE(200, "handshake"),
        BAD_DELIVERY(400, "Invalid delivery"),
        REFUSED(401, "Signature verification failed"),
        WRONG_METHOD(405, "Method not allowed"),
        TOO_LARGE(413, "Delivery too large"),
        FAILED(503, "Processing failed"),
        IN_PROGRESS(503, "Another delivery is in progress"),
        UNAVAILABLE(503, "Temporarily unavailable");

        private final int status;
        private final String title;

        Kind(int status, String title) {
            this.status = status;
            this.title = title;
        }
    }

    public WebhookAnswer {
        Objects.requireNonNull(kind, "A kind must not be null");
        Objects.requireNonNull(detail, "A detail must not be null: it may be empty");
        events = List.copyOf(events);
        Objects.requireNonNull(handshake, "A handshake must not be null: it may be empty");
    }

    static WebhookAnswer of(Kind kind, String detail) {
        return of(kind, detail, List.of());
    }

    static WebhookAnswer of(Kind kind, String detail, List<Event> events) {
        // Random, so that many senders do not retry at the same time.
        int retry = kind.status == 503 ? ThreadLocalRandom.current().nextInt(2, 9) : 0;
        return new WebhookAnswer(kind, detail, events, Optional.empty(), retry);
    }

    static WebhookAnswer of(Handshake handshake) {
        return new WebhookAnswer(Kind.HANDSHAKE, "", List.of(), Optional.of(handshake), 0);
    }

    /** The status of the HTTP answer. */
    public int status() {
        return handshake.map(Handshake::status).orElse(kind.status);
    }

    /** The headers of the HTTP answer. */
    public Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", contentType());
        handshake.ifPresent(answer -> headers.putAll(answer.headers()));
        if (retrySeconds > 0) {
            headers.put("Retry-After", Integer.toString(retrySeconds));
        }
        return headers;
    }

    private String contentType() {
        if (handshake.isPresent()) {
            return "text/plain; charset=utf-8";
        }
        return kind.status < 300 ? "application/json" : "application/problem+json";
    }

    /** The body of the HTTP answer. */
    public byte[] body() {
        return handshake
                .map(answer -> answer.text().getBytes(StandardCharsets.UTF_8))
                .orElseGet(() -> json().utf8());
    }

    /** The body as JSON. An error is a problem document of RFC 9457. */
    public JsonObject json() {
        Map<String, Json> members = new LinkedHashMap<>();
        if (kind.status < 300) {
            members.put("status", new JsonString(kind.title));
        } else {
            members.put("type", new JsonString("about:blank"));
            members.put("title", new JsonString(kind.title));
            members.put("status", JsonNumber.of(kind.status));
            members.put("detail", new JsonString(detail));
        }
        if (events.size() > 1) {
            members.put("events", eventsJson());
        }
        return new JsonObject(members);
    }

    /** The outcome of each event as JSON. */
    public JsonArray eventsJson() {
        return new JsonArray(events.stream()
                .map(event -> {
                    Map<String, Json> members = new LinkedHashMap<>();
                    members.put("key_prefix", new JsonString(event.keyPrefix()));
                    members.put("status", new JsonString(event.status().text()));
                    return (Json) new JsonObject(members);
                })
                .toList());
    }
}
