// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxEntry;
import dev.semel.journal.inbox.InboxKeys;
import dev.semel.journal.inbox.InboxOutcome;
import dev.semel.journal.inbox.InboxPayment;
import dev.semel.payload.Body;
import dev.semel.payload.compare.Difference;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.webhooks.EventResult;
import dev.semel.webhooks.EventStatus;
import dev.semel.webhooks.RecordRequest;
import dev.semel.webhooks.RecordingSink;
import dev.semel.webhooks.WebhookEvent;
import dev.semel.webhooks.provider.Provider;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the gate's events in the inbox. Each event and its claim are written in one transaction. */
final class InboxSink implements RecordingSink {
    private static final Logger LOG = LoggerFactory.getLogger(InboxSink.class);

    private static final String UNKNOWN_TYPE = "application/octet-stream";
    private static final int MAX_HEADERS = 60_000;

    /** Hop-by-hop headers and headers with credentials. Consumers do not need them. */
    private static final Set<String> NOT_KEPT = Set.of(
            "authorization",
            "connection",
            "content-length",
            "cookie",
            "expect",
            "host",
            "keep-alive",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final Inbox inbox;
    private final Provider provider;

    InboxSink(Inbox inbox, Provider provider) {
        this.inbox = inbox;
        this.provider = provider;
    }

    @Override
    public Optional<Digest> digestOf(String provider, ClaimKey key) {
        return Optional.of(inbox.digestOf(key.tenant(), provider, key.key()));
    }

    @Override
    public CompletionStage<List<EventResult>> record(List<RecordRequest> events, Duration maxWait) {
        List<CompletableFuture<EventResult>> all =
                events.stream().map(event -> one(event, maxWait)).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<EventResult> one(RecordRequest request, Duration maxWait) {
        InboxEntry entry;
        try {
            entry = entry(request);
        } catch (IllegalArgumentException e) {
            // An event that the inbox rejects must not block the others. The exception's message contains nothing of
            // the event.
            LOG.atWarn()
                    .addKeyValue("dedup_key_prefix", request.prefix())
                    .addKeyValue("reason", e.getMessage())
                    .log(
                            "The inbox rejected webhook event {}; the event was not stored: {}",
                            request.prefix(),
                            e.getMessage());
            return CompletableFuture.completedFuture(EventResult.of(EventStatus.UNAVAILABLE));
        }
        return inbox.record(entry, maxWait).thenApply(InboxSink::result).toCompletableFuture();
    }

    private static EventResult result(InboxOutcome outcome) {
        if (outcome instanceof InboxOutcome.Recorded) {
            return EventResult.of(EventStatus.PROCESSED);
        }
        if (outcome instanceof InboxOutcome.Duplicate duplicate) {
            // The inbox stores a digest of the body: it knows that the two differ, but not where.
            return duplicate.differs()
                    ? EventResult.differing(Difference.UNEXPLAINED)
                    : EventResult.of(EventStatus.ALREADY_PROCESSED);
        }
        if (outcome instanceof InboxOutcome.PaymentDuplicate) {
            return EventResult.of(EventStatus.PAYMENT_DUPLICATE);
        }
        return EventResult.of(
                outcome instanceof InboxOutcome.InProgress ? EventStatus.IN_PROGRESS : EventStatus.UNAVAILABLE);
    }

    private InboxEntry entry(RecordRequest request) {
        WebhookEvent event = request.event();
        return new InboxEntry(
                event.tenant(),
                event.provider(),
                new InboxKeys(
                        request.key().key().key(),
                        request.key().aliases().stream().map(ClaimKey::key).toList(),
                        request.prefix(),
                        request.ttl()),
                eventType(event.json()),
                new Body(mediaType(event), event.payload()),
                headers(event),
                event.verified(),
                request.payment()
                        .map(payment -> new InboxPayment(payment.scope(), payment.key(), request.paymentTtl()))
                        .orElse(null));
    }

    /**
     * Returns the event's type from the member that most senders use. It is stored unencrypted, so only text that looks
     * like a type name is accepted.
     */
    private static @Nullable String eventType(Json event) {
        if (!(event instanceof JsonObject object)) {
            return null;
        }
        for (String name : List.of("type", "event_type", "eventType", "event", "eventCode")) {
            if (object.member(name).orElse(null) instanceof JsonString text
                    && text.value().matches("[A-Za-z][A-Za-z0-9._:/-]{0,99}")) {
                return text.value();
            }
        }
        return null;
    }

    private static String mediaType(WebhookEvent event) {
        return event.request()
                .headers()
                .one("Content-Type")
                .filter(type -> type.matches("[\\x20-\\x7e]{1,255}"))
                .orElse(UNKNOWN_TYPE);
    }

    /** Returns the headers without signatures: a reader of the inbox could send the delivery again with them. */
    private Map<String, String> headers(WebhookEvent event) {
        Map<String, String> kept = new LinkedHashMap<>();
        int size = 0;
        for (Map.Entry<String, List<String>> header :
                event.request().headers().all().entrySet()) {
            String value = String.join(", ", header.getValue());
            size += header.getKey().length() + value.length();
            if (!NOT_KEPT.contains(header.getKey()) && !provider.isSignature(header.getKey()) && size <= MAX_HEADERS) {
                kept.put(header.getKey(), value);
            }
        }
        return kept;
    }
}
