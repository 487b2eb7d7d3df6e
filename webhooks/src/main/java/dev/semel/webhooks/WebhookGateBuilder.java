// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Semel;
import dev.semel.claim.Terms;
import dev.semel.internal.SendersClock;
import dev.semel.key.Secrets;
import dev.semel.webhooks.provider.Provider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/** Puts a gate together; everything has a default. */
public final class WebhookGateBuilder {
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(8);
    private static final Duration MARGIN = Duration.ofSeconds(1);

    final Semel semel;
    final Secrets secrets;
    private Optional<Duration> ttl = Optional.empty();
    private Duration paymentTtl = Duration.ofHours(24);
    private Duration lease = Duration.ofMinutes(1);
    private InFlight inFlight = InFlight.WAIT;
    private int maxBytes = 1024 * 1024;
    private long maxExcerptBytes = 16 * 1024 * 1024;
    boolean unverified;
    WebhookListener listener = notice -> {};
    InstantSource clock = SendersClock::now;

    WebhookGateBuilder(Semel semel, Secrets secrets) {
        this.semel = Objects.requireNonNull(semel, "An engine must not be null");
        this.secrets = Objects.requireNonNull(secrets, "Secrets must not be null");
        semel.requireCurrent(secrets);
    }

    /** How long a key is kept after its event is done; by default for as long as its provider may send it again. */
    public WebhookGateBuilder ttl(Duration value) {
        ttl = Optional.of(positive("A TTL", value));
        return this;
    }

    /** How long a payment's key is kept; by default a day. */
    public WebhookGateBuilder paymentTtl(Duration value) {
        paymentTtl = positive("A payment's TTL", value);
        return this;
    }

    /**
     * After how long another delivery may take over from a process that died; by default a minute. One that lives renews
     * it, for up to twelve times as long.
     */
    public WebhookGateBuilder lease(Duration value) {
        lease = positive("A lease", value);
        return this;
    }

    /** What a duplicate is told while the first is being processed; by default it waits. */
    public WebhookGateBuilder inFlight(InFlight value) {
        inFlight = Objects.requireNonNull(value, "In flight must not be null");
        return this;
    }

    /** How large a body may be; by default 1 MiB. */
    public WebhookGateBuilder maxBytes(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("The most bytes must be positive, but is " + value);
        }
        maxBytes = value;
        return this;
    }

    /**
     * How large the events of one delivery may be together, each with what stands beside it in the delivery, and with the
     * headers; by default 16 MiB. A delivery that is above that is refused before anything of it is claimed.
     */
    public WebhookGateBuilder maxExcerptBytes(long value) {
        if (value < 1) {
            throw new IllegalArgumentException("The most excerpt bytes must be positive, but is " + value);
        }
        maxExcerptBytes = value;
        return this;
    }

    /**
     * Accepts deliveries that nobody can verify: of senders that sign nothing, where the address is the secret, or for
     * trying things out. A delivery that can be verified still has to be right.
     */
    public WebhookGateBuilder acceptingUnverified() {
        unverified = true;
        return this;
    }

    /** Who is told of what happens. */
    public WebhookGateBuilder listener(WebhookListener value) {
        listener = Objects.requireNonNull(value, "A listener must not be null");
        return this;
    }

    /** What signed timestamps are held against; by default this machine's clock. */
    public WebhookGateBuilder clock(InstantSource value) {
        clock = Objects.requireNonNull(value, "A clock must not be null");
        return this;
    }

    /**
     * The gate for one provider.
     *
     * @param name under which it is configured: part of the scope {@code webhook:<name>} and of payment keys
     */
    public WebhookGate build(String name, Provider provider, Sink sink) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw new IllegalArgumentException(
                    "A provider's name must be 1 to 64 letters, digits, points, hyphens or underscores");
        }
        Terms terms = Terms.DEFAULT.withLease(lease);
        Duration before = provider.answerWithin().minus(MARGIN);
        Duration patience = before.compareTo(LONGEST_PATIENCE) < 0 ? before : LONGEST_PATIENCE;
        GateSettings settings = new GateSettings(
                terms.withTtl(ttl.orElse(provider.ttl())),
                terms.withTtl(paymentTtl),
                patience,
                inFlight,
                maxBytes,
                maxExcerptBytes);
        return new WebhookGate(this, name, provider, sink, settings);
    }

    /** As {@link #build(String, Provider, Sink)}, for a handler that is written as a lambda. */
    public WebhookGate build(String name, Provider provider, WebhookHandler handler) {
        return build(name, provider, (Sink) handler);
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive, but is %s".formatted(name, value));
        }
        return value;
    }
}
