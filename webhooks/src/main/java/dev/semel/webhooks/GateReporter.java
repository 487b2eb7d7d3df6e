// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.internal.Sha256;
import dev.semel.payload.same.Difference;
import dev.semel.webhooks.WebhookNotice.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Says what happens, to the log and to the listener. Digests and sizes only: no body, no key, no signature, no secret,
 * and of exceptions the class, because their messages quote what they were given.
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
                        "Keys are kept for less time than the provider may send an event again: it would be processed twice");
    }

    void received(byte[] body) {
        line("WEBHOOK_RECEIVED", LOG.atInfo())
                .addKeyValue("payload_hash", Sha256.hex(body))
                .addKeyValue("payload_size", body.length)
                .log("A webhook was received");
    }

    void refused(String tenant, String why) {
        line("WEBHOOK_REFUSED", LOG.atWarn()).addKeyValue("reason", why).log("A webhook was refused");
        tell(Kind.REFUSED, tenant, "", Optional.empty(), Optional.empty());
    }

    /** Warned about once: a sender that signs nothing would fill the log. */
    void unverified(String tenant) {
        if (!warned.getAndSet(true)) {
            line("WEBHOOK_UNVERIFIED", LOG.atWarn()).log("Webhooks of this provider are accepted unverified");
        }
        tell(Kind.UNVERIFIED, tenant, "", Optional.empty(), Optional.empty());
    }

    void event(String tenant, String prefix, EventStatus status) {
        line("WEBHOOK_DEDUP", LOG.atInfo())
                .addKeyValue("dedup_key_prefix", prefix)
                .addKeyValue("status", status.text())
                .log("A webhook's event was dealt with");
        tell(kindOf(status), tenant, prefix, Optional.empty(), Optional.empty());
    }

    void differs(IncomingEvent event, Difference difference) {
        line("WEBHOOK_DIFFERS", LOG.atWarn())
                .addKeyValue("dedup_key_prefix", event.prefix())
                .addKeyValue("differences", difference.changes().size())
                .log("A webhook's event came again with other content; it was processed before and is not again");
        tell(Kind.DIFFERS, event.request().tenant(), event.prefix(), Optional.of(difference), Optional.empty());
    }

    void failed(IncomingEvent event, Throwable failure) {
        line("WEBHOOK_FAILED", LOG.atWarn())
                .addKeyValue("dedup_key_prefix", event.prefix())
                .addKeyValue("exception", failure.getClass().getName())
                .log("A webhook's event failed; its next delivery is processed");
    }

    void replayed(IncomingEvent event, EventReplay replay) {
        line("WEBHOOK_REPLAYED", LOG.atWarn())
                .addKeyValue("dedup_key_prefix", event.prefix())
                .addKeyValue("actor", replay.actor())
                .addKeyValue("reason", replay.reason())
                .log("An operator sends a webhook's event again");
        tell(Kind.REPLAYED, event.request().tenant(), event.prefix(), Optional.empty(), Optional.of(replay));
    }

    /** Something that should not happen: where, but not the message. */
    void unexpected(Throwable failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        line("WEBHOOK_ERROR", LOG.atError())
                .addKeyValue("exception", failure.getClass().getName())
                .addKeyValue("at", frames.length == 0 ? "unknown" : frames[0])
                .log("A webhook could not be dealt with");
    }

    private LoggingEventBuilder line(String event, LoggingEventBuilder builder) {
        return builder.addKeyValue("event", event).addKeyValue("provider", provider);
    }

    private void tell(
            Kind kind, String tenant, String prefix, Optional<Difference> difference, Optional<EventReplay> replay) {
        try {
            listener.onNotice(new WebhookNotice(kind, tenant, provider, prefix, difference, replay));
        } catch (RuntimeException e) {
            line("WEBHOOK_LISTENER_FAILED", LOG.atWarn())
                    .addKeyValue("exception", e.getClass().getName())
                    .log("A listener failed");
        }
    }

    private static Kind kindOf(EventStatus status) {
        return switch (status) {
            case PROCESSED -> Kind.PROCESSED;
            case ALREADY_PROCESSED -> Kind.DUPLICATE;
            case PAYMENT_DUPLICATE -> Kind.PAYMENT_DUPLICATE;
            case FAILED -> Kind.FAILED;
            case IN_PROGRESS -> Kind.IN_PROGRESS;
            case UNAVAILABLE -> Kind.UNAVAILABLE;
            case INVALID -> Kind.INVALID;
        };
    }
}
