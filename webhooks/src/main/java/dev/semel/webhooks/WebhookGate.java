// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Semel;
import dev.semel.internal.Futures;
import dev.semel.key.Composed;
import dev.semel.key.Secrets;
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
 * Lets each event of one provider in once.
 *
 * <pre>{@code
 * Provider stripe = Providers.of("stripe", ProviderConfig.secrets("whsec_..."));
 * WebhookGate gate = WebhookGate.on(semel, secrets).build("stripe", stripe, event -> books.post(event.json()));
 * gate.receive(new WebhookRequest("POST", url, headers, body, "acme")).thenAccept(answer -> ...);
 * }</pre>
 *
 * <p>A delivery goes through these steps, and ends at the first that it does not pass: size, log line, signature over the
 * raw bytes, parsing, its events, their keys, claims, sink, settlement, answer. Safe for use by many threads.
 */
public final class WebhookGate {
    /**
     * The tenant of what gates remember for all tenants. No delivery is for it, and a server must let nobody claim as this
     * tenant.
     */
    public static final String RESERVED_TENANT = "semel:webhooks";

    private final String name;
    private final Provider provider;
    private final GateSettings settings;
    private final boolean unverified;
    private final InstantSource clock;
    private final GateReporter notices;
    private final IncomingEvents arrivals;
    private final TransmissionBindings transmissions;
    private final EventProcessor sink;

    WebhookGate(WebhookGateBuilder builder, String name, Provider provider, Sink sink, GateSettings settings) {
        this.name = name;
        this.provider = provider;
        this.settings = settings;
        this.unverified = builder.unverified;
        this.clock = builder.clock;
        this.notices = new GateReporter(name, builder.listener);
        Duration ttl = settings.event().ttl().orElseThrow();
        if (ttl.compareTo(provider.ttl()) < 0) {
            notices.shortTtl(ttl, provider.ttl());
        }
        this.arrivals = new IncomingEvents(builder.semel, name, provider, sink);
        this.transmissions = new TransmissionBindings(builder.semel, settings.event());
        this.sink = sink instanceof WebhookHandler handler
                ? new HandlerProcessor(builder.semel, handler, settings, new ContentSketches(builder.secrets), notices)
                : new RecordingProcessor(builder.semel, (RecordingSink) sink, settings, notices);
    }

    /**
     * Gates on this engine.
     *
     * @param secrets the engine's own, in the same order
     */
    public static WebhookGateBuilder on(Semel semel, Secrets secrets) {
        return new WebhookGateBuilder(semel, secrets);
    }

    /** What to tell the sender, once that is known. Never fails, and holds no thread while it waits. */
    public CompletionStage<WebhookAnswer> receive(WebhookRequest request) {
        return answered(() -> {
            if (request.tenant().equals(RESERVED_TENANT)) {
                return answer(Kind.REFUSED, "The tenant %s is reserved".formatted(RESERVED_TENANT));
            }
            if (request.body().length > settings.maxBytes()) {
                return answer(Kind.TOO_LARGE, "A delivery may have at most %d bytes".formatted(settings.maxBytes()));
            }
            notices.received(request.body());
            if (!request.method().equals("POST")) {
                return CompletableFuture.completedFuture(provider.handshake(request)
                        .map(WebhookAnswer::of)
                        .orElseGet(() -> WebhookAnswer.of(Kind.WRONG_METHOD, "Events come by POST")));
            }
            long deadline = System.nanoTime() + settings.patience().toNanos();
            return provider.signature()
                    .verify(request, clock.instant())
                    .thenCompose(verified -> verified(request, verified, deadline));
        });
    }

    private CompletionStage<WebhookAnswer> verified(WebhookRequest request, Verification found, long deadline) {
        if (found instanceof Verification.Refused refused) {
            return refused(request, refused.why());
        }
        if (found instanceof Verification.Unavailable unavailable) {
            return answer(Kind.UNAVAILABLE, unavailable.why());
        }
        if (found instanceof Verification.Unsigned) {
            if (!unverified) {
                return refused(request, "it cannot be verified: there is no secret to do so, or it is not signed");
            }
            notices.unverified(request.tenant());
            return read(request, false, deadline);
        }
        Optional<Transmission> transmission = ((Verification.Verified) found).transmission();
        if (transmission.isEmpty()) {
            return read(request, true, deadline);
        }
        return transmissions.bind(transmission.get(), request.body(), deadline).thenCompose(bound -> switch (bound) {
            case YES -> read(request, true, deadline);
            case NO -> refused(request, "another body came under the same transmission before");
            case UNKNOWN -> answer(Kind.UNAVAILABLE, "The store does not answer");
        });
    }

    private CompletionStage<WebhookAnswer> refused(WebhookRequest request, String why) {
        notices.refused(request.tenant(), why);
        return answer(Kind.REFUSED, "The delivery is refused: " + why);
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
        DeliveryEvents slots = new DeliveryEvents();
        for (Fragment fragment : fragments) {
            try {
                slots.add(arrivals.of(request, verified, fragment, fragments.size() == 1));
            } catch (BadDeliveryException e) {
                slots.addUnreadable(String.valueOf(e.getMessage()));
            }
        }
        if (fragments.size() > 1 && EventBatches.weight(slots.distinct()) > settings.maxExcerptBytes()) {
            return answer(
                    Kind.TOO_LARGE,
                    "A delivery's events may have at most %d bytes together, each with what stands beside it and the headers"
                            .formatted(settings.maxExcerptBytes()));
        }
        return sinkOf(slots.distinct(), deadline).thenApply(statuses -> answer(request, slots, statuses));
    }

    private CompletionStage<List<EventStatus>> sinkOf(List<IncomingEvent> events, long deadline) {
        return events.isEmpty() ? CompletableFuture.completedFuture(List.of()) : sink.deliver(events, deadline);
    }

    private WebhookAnswer answer(WebhookRequest request, DeliveryEvents slots, List<EventStatus> statuses) {
        List<WebhookAnswer.Event> events = slots.answers(statuses);
        events.forEach(event -> notices.event(request.tenant(), event.keyPrefix(), event.status()));
        return slots.answer(events);
    }

    /**
     * Processes the events of a stored delivery again, though they were processed before. Its signature is not checked:
     * whoever calls this answers for the bytes. A record in the scope {@code webhook-replay:<name>} says who and why.
     */
    public CompletionStage<WebhookAnswer> replay(WebhookRequest request, EventReplay order) {
        return answered(() -> {
            DeliveryEvents slots = new DeliveryEvents();
            try {
                List<Fragment> fragments = provider.split(request);
                if (fragments.size() > Provider.MAX_EVENTS) {
                    return tooMany();
                }
                for (Fragment fragment : fragments) {
                    slots.add(arrivals.again(request, order.verified(), fragment, Composed.of("webhook-replay", name)));
                }
            } catch (BadDeliveryException e) {
                return answer(Kind.BAD_DELIVERY, String.valueOf(e.getMessage()));
            }
            List<EventStatus> statuses = new ArrayList<>();
            CompletionStage<?> before = CompletableFuture.completedFuture(null);
            for (IncomingEvent event : slots.distinct()) {
                before = before.thenCompose(done -> {
                    notices.replayed(event, order);
                    return sink.again(event, order).thenAccept(statuses::add);
                });
            }
            return before.thenApply(done -> answer(request, slots, statuses));
        });
    }

    private static CompletionStage<WebhookAnswer> tooMany() {
        return answer(Kind.TOO_LARGE, "A delivery may have at most %d events".formatted(Provider.MAX_EVENTS));
    }

    private static CompletionStage<WebhookAnswer> answer(Kind kind, String detail) {
        return CompletableFuture.completedFuture(WebhookAnswer.of(kind, detail));
    }

    /** Whatever goes wrong in an unforeseen way, the sender is asked to come again. */
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
            notices.unexpected(Futures.unwrapped(failure));
            return WebhookAnswer.of(Kind.UNAVAILABLE, "The delivery could not be dealt with");
        });
    }
}
