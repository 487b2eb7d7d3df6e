// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.internal.Sha256;
import dev.semel.payload.compare.Difference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Reports what happens at a gate to the log and to the listener. Reports contain digests and sizes, but no body, key, signature
 * or secret. Of an exception only the class is logged, because messages often quote their input. A log line has its facts in
 * its text and as key-value pairs, because not every log format prints the pairs.
 */
final class GateReporter {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookGate.class);

    private final String provider;
    private final WebhookListener listener;
    private final AtomicBoolean warned = new AtomicBoolean();

    GateReporter(String provider, WebhookListener listener) {
        this.provider = provider;
        this.listener = listener;
    }

    void shortTtl(Duration ttl, Duration needed) {
        line("WEBHOOK_TTL_SHORT", LOG.atWarn())
                .addKeyValue("ttl", ttl)
                .addKeyValue("provider_sends_again_for", needed)
                .log(
                        "The TTL of webhook keys of {} is {}, shorter than the provider's retry period of {}; a late retry"
                                + " would be processed twice. Set its TTL to at least {} hours (webhooks.{}.ttl_hours in semel.yml)",
                        provider,
                        ttl,
                        needed,
                        // Rounded up.
                        needed.plusHours(1).minusNanos(1).toHours(),
                        provider);
    }

    void received(byte[] body) {
        String hash = Sha256.hex(body);
        line("WEBHOOK_RECEIVED", LOG.atInfo())
                .addKeyValue("payload_hash", hash)
                .addKeyValue("payload_size", body.length)
                .log("Webhook of {} received: {} bytes, SHA-256 {}", provider, body.length, hash);
    }

    void refused(String tenant, String why) {
        line("WEBHOOK_REFUSED", LOG.atWarn())
                .addKeyValue("reason", why)
                .log("Webhook of {} refused: {}", provider, why);
        publish(new WebhookNotice.DeliveryRefused(tenant, provider));
    }

    /** Logs the warning once: a sender that never signs would fill the log. */
    void unverified(String tenant) {
        if (!warned.getAndSet(true)) {
            line("WEBHOOK_UNVERIFIED", LOG.atWarn()).log("Webhooks of {} are accepted without verification", provider);
        }
        publish(new WebhookNotice.UnverifiedDelivery(tenant, provider));
    }

    void event(String tenant, String prefix, EventStatus status) {
        line("WEBHOOK_DEDUP", LOG.atInfo())
                .addKeyValue("dedup_key_prefix", prefix)
                .addKeyValue("status", status.text())
                .log("Webhook event {} of {} completed: {}", prefix, provider, status.text());
        publish(new WebhookNotice.EventOutcome(tenant, provider, prefix, status));
    }

    void differs(IncomingEvent event, Difference difference) {
        line("WEBHOOK_DIFFERS", LOG.atWarn())
                .addKeyValue("dedup_key_prefix", event.prefix())
                .addKeyValue("differences", difference.changes().size())
                .log(
                        "Duplicate webhook event {} of {} has different content ({} differences); it is not processed again",
                        event.prefix(),
                        provider,
                        difference.changes().size());
        publish(new WebhookNotice.ContentDiffers(event.request().tenant(), provider, event.prefix(), difference));
    }

    void failed(IncomingEvent event, Throwable failure) {
        line("WEBHOOK_FAILED", LOG.atWarn())
                .addKeyValue("dedup_key_prefix", event.prefix())
                .addKeyValue("exception", failure.getClass().getName())
                .log(
                        "Webhook event {} of {} failed with {}; its next delivery will be processed",
                        event.prefix(),
                        provider,
                        failure.getClass().getName());
    }

    void replayed(IncomingEvent event, EventReplay order) {
        line("WEBHOOK_REPLAYED", LOG.atWarn())
                .addKeyValue("dedup_key_prefix", event.prefix())
                .addKeyValue("actor", order.actor())
                .addKeyValue("reason", order.reason())
                .log(
                        "Operator {} replays webhook event {} of {}: {}",
                        order.actor(),
                        event.prefix(),
                        provider,
                        order.reason());
        publish(new WebhookNotice.Replayed(event.request().tenant(), provider, event.prefix(), order));
    }

    /** Reports an unexpected failure: its class and location, but not its message. */
    void unexpected(Throwable failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        String at = frames.length == 0 ? "unknown" : frames[0].toString();
        line("WEBHOOK_ERROR", LOG.atError())
                .addKeyValue("exception", failure.getClass().getName())
                .addKeyValue("at", at)
                .log(
                        "Webhook of {} failed unexpectedly with {} at {}; the sender is asked to retry",
                        provider,
                        failure.getClass().getName(),
                        at);
    }

    private LoggingEventBuilder line(String event, LoggingEventBuilder builder) {
        return builder.addKeyValue("event", event).addKeyValue("provider", provider);
    }

    private void publish(WebhookNotice notice) {
        try {
            listener.onNotice(notice);
        } catch (RuntimeException e) {
            line("WEBHOOK_LISTENER_FAILED", LOG.atWarn())
                    .addKeyValue("exception", e.getClass().getName())
                    .log(
                            "Webhook listener of {} failed with {}",
                            provider,
                            e.getClass().getName());
        }
    }
}
