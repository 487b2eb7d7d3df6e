// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Semel;
import dev.semel.internal.Futures;
import dev.semel.key.ColonJoined;
import dev.semel.webhooks.WebhookAnswer.Kind;
import dev.semel.webhooks.provider.BadDeliveryException;
import dev.semel.webhooks.provider.Fragment;
import dev.semel.webhooks.provider.Handshake;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.Verification;
import dev.semel.webhooks.provider.Verification.Transmission;
import dev.semel.webhooks.provider.WebhookRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Receives the webhooks of one provider and passes each event to the sink once.
 *
 * <pre>{@code
 * Provider stripe = Providers.of("stripe", ProviderConfig.secrets("whsec_..."));
 * WebhookGate gate = WebhookGate.on(semel).build("stripe", stripe, event -> books.post(event.json()));
 * gate.receive(new WebhookRequest("POST", url, headers, body, "acme")).thenAccept(answer -> ...);
 * }</pre>
 *
 * <p>A delivery goes through these steps and stops at the first that fails: size, log line, signature over the raw bytes,
 * parsing, events, keys, claims, sink, settlement, answer. Safe for use by concurrent threads.
 */
public final class WebhookGate {
    /**
     * The tenant of claims that gates make for all tenants. Deliveries to it are refused. A server must not let any caller
     * claim as this tenant.
     */
    public static final String RESERVED_TENANT = "semel:webhooks";

    private final Semel semel;
    private final String name;
    private final Provider provider;
    private final GateSettings settings;
    private final boolean unverified;
    private final InstantSource clock;
    private final GateReporter reporter;
    private final IncomingEvents incoming;
    private final TransmissionBindings bindings;
    private final EventProcessor processor;

    WebhookGate(WebhookGateBuilder builder, String name, Provider provider, Sink sink, GateSettings settings) {
        this.semel = builder.semel;
        this.name = name;
        this.provider = provider;
        this.settings = settings;
        this.unverified = builder.unverified;
        this.clock = builder.clock;
        this.reporter = new GateReporter(name, builder.listener);
        Duration ttl = settings.event().ttl().orElseThrow();
        if (ttl.compareTo(provider.ttl()) < 0) {
            reporter.shortTtl(ttl, provider.ttl());
        }
        this.incoming = new IncomingEvents(builder.semel, name, provider, sink);
        this.bindings = new TransmissionBindings(builder.semel, settings.event());
        this.processor = sink instanceof EventHandler handler
                ? new HandlerProcessor(
                        builder.semel, handler, settings, new ContentSketches(builder.semel.secrets()), reporter)
                : new RecordingProcessor(builder.semel, (RecordingSink) sink, settings, reporter);
    }

    /** Builds gates on this engine, with its secrets. */
    public static WebhookGateBuilder on(Semel semel) {
        return new WebhookGateBuilder(semel);
    }

    /** Processes a delivery and returns the answer to its sender. Never fails, and holds no thread while it waits. */
    public CompletionStage<WebhookAnswer> receive(WebhookRequest request) {
        return answered(() -> {
            if (request.tenant().equals(RESERVED_TENANT)) {
                return answer(Kind.REFUSED, "The tenant %s is reserved".formatted(RESERVED_TENANT));
            }
            if (request.body().length > settings.maxBytes()) {
                return answer(Kind.TOO_LARGE, "A delivery may have at most %d bytes".formatted(settings.maxBytes()));
            }
            reporter.received(request.body());
            if (!request.method().equals("POST")) {
                return CompletableFuture.completedFuture(provider.handshake(request)
                        .map(WebhookAnswer::of)
                        .orElseGet(() -> WebhookAnswer.of(Kind.WRONG_METHOD, "Send events by POST")));
            }
            long deadline = System.nanoTime() + settings.maxWait().toNanos();
            return semel.inCallersContext(provider.signature().verify(request, clock.instant()))
                    .thenCompose(verified -> verified(request, verified, deadline));
        });
    }

    private CompletionStage<WebhookAnswer> verified(WebhookRequest request, Verification found, long deadline) {
        if (found instanceof Verification.Refused refused) {
            return refused(request, refused.why());
        }
        if (found instanceof Verification.Unavailable unavailable) {
            return answer(Kind.UNAVAILABLE, "Signature verification is unavailable: " + unavailable.why());
        }
        if (found instanceof Verification.Unsigned) {
            if (!unverified) {
                return refused(request, "the delivery is not signed, or no secret is configured to verify it");
            }
            reporter.unverified(request.tenant());
            return read(request, false, deadline);
        }
        Optional<Transmission> transmission = ((Verification.Verified) found).transmission();
        if (transmission.isEmpty()) {
            return read(request, true, deadline);
        }
        return bindings.bind(transmission.get(), request.body(), deadline).thenCompose(binding -> switch (binding) {
            case BOUND -> read(request, true, deadline);
            case REFUSED -> refused(request, "another body was received under the same transmission id");
            case UNKNOWN -> answer(Kind.UNAVAILABLE, "The store is unavailable");
        });
    }

    private CompletionStage<WebhookAnswer> refused(WebhookRequest request, String why) {
        reporter.refused(request.tenant(), why);
        return answer(Kind.REFUSED, "Signature verification failed: " + why);
    }

    private CompletionStage<WebhookAnswer> read(WebhookRequest request, boolean verified, long deadline) {
        List<Fragment> fragments;
        try {
            Optional<Handshake> handshake = provider.handshake(request);
            if (handshake.isPresent()) {
                return CompletableFuture.completedFuture(WebhookAnswer.of(handshake.get()));
            }
            fragments = provider.split(request);
        } catch (BadDeliveryException e) {
            return answer(Kind.BAD_DELIVERY, String.valueOf(e.getMessage()));
        }
        if (fragments.size() > Provider.MAX_EVENTS) {
            return tooMany();
        }
        DeliveryEvents events = new DeliveryEvents();
        for (Fragment fragment : fragments) {
            try {
                events.add(incoming.of(request, verified, fragment, fragments.size() == 1));
            } catch (BadDeliveryException e) {
                events.addUnreadable(String.valueOf(e.getMessage()));
            }
        }
        if (fragments.size() > 1 && EventBatches.weight(events.distinct()) > settings.maxExcerptBytes()) {
            return answer(
                    Kind.TOO_LARGE,
                    "The excerpts of a delivery's events may have at most %d bytes in total, headers included"
                            .formatted(settings.maxExcerptBytes()));
        }
        return processed(events.distinct(), deadline).thenApply(statuses -> answer(request, events, statuses));
    }

    private CompletionStage<List<EventStatus>> processed(List<IncomingEvent> events, long deadline) {
        return events.isEmpty() ? CompletableFuture.completedFuture(List.of()) : processor.deliver(events, deadline);
    }

    private WebhookAnswer answer(WebhookRequest request, DeliveryEvents events, List<EventStatus> statuses) {
        List<WebhookAnswer.Event> answers = events.answers(statuses);
        answers.forEach(event -> reporter.event(request.tenant(), event.keyPrefix(), event.status()));
        return events.answer(answers);
    }

    /**
     * Processes the events of a stored delivery again, although they were processed before. The signature is not checked: the
     * caller is responsible for the bytes. A record in the scope {@code webhook-replay:<name>} keeps the actor and the reason.
     */
    public CompletionStage<WebhookAnswer> replay(WebhookRequest request, EventReplay order) {
        return answered(() -> {
            DeliveryEvents events = new DeliveryEvents();
            try {
                List<Fragment> fragments = provider.split(request);
                if (fragments.size() > Provider.MAX_EVENTS) {
                    return tooMany();
                }
                for (Fragment fragment : fragments) {
                    events.add(incoming.replayed(
                            request, order.verified(), fragment, ColonJoined.of("webhook-replay", name)));
                }
            } catch (BadDeliveryException e) {
                return answer(Kind.BAD_DELIVERY, String.valueOf(e.getMessage()));
            }
            List<EventStatus> statuses = new ArrayList<>();
            CompletionStage<?> before = CompletableFuture.completedFuture(null);
            for (IncomingEvent event : events.distinct()) {
                before = before.thenCompose(done -> {
                    reporter.replayed(event, order);
                    return processor.replay(event, order).thenAccept(statuses::add);
                });
            }
            return before.thenApply(done -> answer(request, events, statuses));
        });
    }

    private static CompletionStage<WebhookAnswer> tooMany() {
        return answer(Kind.TOO_LARGE, "A delivery may have at most %d events".formatted(Provider.MAX_EVENTS));
    }

    private static CompletionStage<WebhookAnswer> answer(Kind kind, String detail) {
        return CompletableFuture.completedFuture(WebhookAnswer.of(kind, detail));
    }

    /** Runs the steps. After an unexpected failure the sender is asked to retry. */
    private CompletionStage<WebhookAnswer> answered(Supplier<CompletionStage<WebhookAnswer>> steps) {
        CompletionStage<WebhookAnswer> answer;
        try {
            answer = steps.get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((given, failure) -> {
            if (failure == null) {
                return given;
            }
            reporter.unexpected(Futures.unwrapped(failure));
            return WebhookAnswer.of(Kind.UNAVAILABLE, "The delivery could not be processed; retry later");
        });
    }
}
