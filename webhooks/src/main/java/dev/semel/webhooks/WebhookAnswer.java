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
 * What to tell the sender.
 *
 * @param detail what is wrong, if something is: never anything that was sent
 * @param events what came of each event, if there are several
 * @param handshake the answer to a sender's question before any event
 * @param retrySeconds when the sender had better try again; 0 where that makes no sense
 */
public record WebhookAnswer(
        Kind kind, String detail, List<Event> events, Optional<Handshake> handshake, int retrySeconds) {
    /** One event of several. */
    public record Event(String keyPrefix, EventStatus status) {}

    /** What kinds of answers there are. */
    public enum Kind {
        PROCESSED(200, "processed"),
        ALREADY_PROCESSED(200, "already_processed"),
        HANDSHAKE(200, "handshake"),
        BAD_DELIVERY(400, "The delivery cannot be read"),
        REFUSED(401, "The delivery is not its sender's"),
        WRONG_METHOD(405, "The provider asks nothing in this way"),
        TOO_LARGE(413, "The delivery is too large"),
        FAILED(503, "Processing failed"),
        IN_PROGRESS(503, "Another delivery is being processed"),
        UNAVAILABLE(503, "Not available at the moment");

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
        // Spread, so that a storm of retries does not come back as one.
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

    /** The body as a document; an error is one of RFC 9457. */
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

    /** What came of each event. */
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
