// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Semel;
import dev.semel.claim.Terms;
import dev.semel.internal.SendersClock;
import dev.semel.webhooks.provider.Provider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/** Builds a gate. Every setting has a default. */
public final class WebhookGateBuilder {
    private static final Duration MAX_WAIT = Duration.ofSeconds(8);
    private static final Duration MARGIN = Duration.ofSeconds(1);

    final Semel semel;
    private Optional<Duration> ttl = Optional.empty();
    private Duration paymentTtl = Duration.ofHours(24);
    private Duration lease = Duration.ofMinutes(1);
    private InFlight inFlight = InFlight.WAIT;
    private int maxBytes = 1024 * 1024;
    private long maxExcerptBytes = 16 * 1024 * 1024;
    boolean unverified;
    WebhookListener listener = notice -> {};
    InstantSource clock = SendersClock::now;

    WebhookGateBuilder(Semel semel) {
        this.semel = Objects.requireNonNull(semel, "An engine must not be null");
    }

    /** How long a key is kept after its event is settled. The default is the provider's retry period. */
    public WebhookGateBuilder ttl(Duration value) {
        ttl = Optional.of(positive("A TTL", value));
        return this;
    }

    /** How long a payment's key is kept. The default is one day. */
    public WebhookGateBuilder paymentTtl(Duration value) {
        paymentTtl = positive("A payment's TTL", value);
        return this;
    }

    /**
     * After how long another delivery may take over from a process that died. The default is one minute. A live process renews
     * the lease, for at most twelve times this duration.
     */
    public WebhookGateBuilder lease(Duration value) {
        lease = positive("A lease", value);
        return this;
    }

    /** The answer to a duplicate while the first delivery is in progress. The default is {@link InFlight#WAIT}. */
    public WebhookGateBuilder inFlight(InFlight value) {
        inFlight = Objects.requireNonNull(value, "inFlight must not be null");
        return this;
    }

    /** The maximum size of a body. The default is 1 MiB. */
    public WebhookGateBuilder maxBytes(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxBytes must be positive, but is " + value);
        }
        maxBytes = value;
        return this;
    }

    /**
     * The maximum total size of the excerpts of one delivery with several events. An excerpt is the event with its surroundings
     * in the delivery, and the headers. The default is 16 MiB. A larger delivery is refused before anything is claimed.
     */
    public WebhookGateBuilder maxExcerptBytes(long value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxExcerptBytes must be positive, but is " + value);
        }
        maxExcerptBytes = value;
        return this;
    }

    /**
     * Accepts deliveries that cannot be verified, for providers that do not sign (keep the URL secret) and for development. A
     * delivery that can be verified must still have a valid signature.
     */
    public WebhookGateBuilder acceptingUnverified() {
        unverified = true;
        return this;
    }

    /** Receives the gate's notices. */
    public WebhookGateBuilder listener(WebhookListener value) {
        listener = Objects.requireNonNull(value, "A listener must not be null");
        return this;
    }

    /** The clock that signed timestamps are compared with. The default is this machine's clock. */
    public WebhookGateBuilder clock(InstantSource value) {
        clock = Objects.requireNonNull(value, "A clock must not be null");
        return this;
    }

    /**
     * Builds the gate for one provider.
     *
     * @param name the provider's configured name, which is part of the scope {@code webhook:<name>} and of payment keys
     */
    public WebhookGate build(String name, Provider provider, Sink sink) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw new IllegalArgumentException(
                    "A provider's name must have 1 to 64 letters, digits, points, hyphens or underscores");
        }
        Terms terms = Terms.DEFAULT.withLease(lease);
        Duration before = provider.answerWithin().minus(MARGIN);
        Duration maxWait = before.compareTo(MAX_WAIT) < 0 ? before : MAX_WAIT;
        GateSettings settings = new GateSettings(
                terms.withTtl(ttl.orElse(provider.ttl())),
                terms.withTtl(paymentTtl),
                maxWait,
                inFlight,
                maxBytes,
                maxExcerptBytes);
        return new WebhookGate(this, name, provider, sink, settings);
    }

    /** As {@link #build(String, Provider, Sink)}, for a handler as a lambda. */
    public WebhookGate build(String name, Provider provider, EventHandler handler) {
        return build(name, provider, (Sink) handler);
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive, but is %s".formatted(name, value));
        }
        return value;
    }
}
