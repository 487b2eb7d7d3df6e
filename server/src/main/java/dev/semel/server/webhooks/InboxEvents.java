// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.journal.inbox.InboxContent;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.payload.Body;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonLimits;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.WebhookRequest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Events of the inbox, as consumers see them, and as the delivery that they came with. */
final class InboxEvents {
    /** As for what comes in. A document that was stored with more values is shown byte by byte. */
    private static final JsonLimits LIMITS = new JsonLimits(128, 16 << 20, 100_000);

    private InboxEvents() {}

    /** @param hidden headers that are not shown; they were stored once */
    static JsonObject json(InboxEvent event, Predicate<String> hidden) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("id", new JsonString(event.id().toString()));
        members.put("provider", new JsonString(event.provider()));
        Optional.ofNullable(event.eventType()).ifPresent(type -> members.put("event_type", new JsonString(type)));
        members.put("key_prefix", new JsonString(event.keyPrefix()));
        if (!event.verified()) {
            members.put("unverified", new JsonBoolean(true));
        }
        members.put("payload_hash", new JsonString(event.payloadHash()));
        members.put("received_at", new JsonString(event.receivedAt().toString()));
        Optional.ofNullable(event.ackedAt()).ifPresent(at -> members.put("acked_at", new JsonString(at.toString())));
        Optional.ofNullable(event.ackedBy()).ifPresent(by -> members.put("acked_by", new JsonString(by)));
        if (event.content() instanceof InboxContent.Opened opened) {
            content(members, opened, hidden);
        } else if (event.content() instanceof InboxContent.Unopened unopened) {
            members.put("unreadable", new JsonString(unopened.why().name().toLowerCase(Locale.ROOT)));
        }
        return new JsonObject(members);
    }

    private static void content(Map<String, Json> members, InboxContent.Opened opened, Predicate<String> hidden) {
        members.put("content_type", new JsonString(opened.body().mediaType()));
        Map<String, Json> headers = new LinkedHashMap<>();
        new TreeMap<>(opened.headers()).forEach((name, value) -> {
            if (!hidden.test(name)) {
                headers.put(name, new JsonString(value));
            }
        });
        members.put("headers", new JsonObject(headers));
        Optional<Json> document = document(opened.body());
        members.put(
                document.isPresent() ? "body" : "body_base64",
                document.orElseGet(() -> new JsonString(
                        Base64.getEncoder().encodeToString(opened.body().bytes()))));
    }

    /** What is JSON is shown as such; forms and everything else byte by byte. */
    private static Optional<Json> document(Body body) {
        try {
            return Optional.of(Json.parse(body.bytes(), LIMITS));
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    /** The delivery again; of one with several events, as if this had been its only one. */
    static WebhookRequest delivery(InboxEvent event, InboxContent.Opened opened) {
        return new WebhookRequest(
                "POST",
                "/webhooks/" + event.provider(),
                DeliveryHeaders.single(opened.headers()),
                opened.body().bytes(),
                event.tenant());
    }
}
