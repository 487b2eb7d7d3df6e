// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.lane.Environment;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.ReplayCache;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** Builds an engine. Everything except the store and the secret has a default. */
public final class SemelBuilder {
    private static final long DEFAULT_CACHE_BYTES = 32L << 20;

    final ClaimStore store;

    @Nullable
    Secrets secrets;

    /** Set by simulations. */
    Environment environment = Environment.SYSTEM;

    final List<ClaimListener> listeners = new ArrayList<>();

    @Nullable
    CallObserver observer;

    @Nullable
    CallerTransactions callerTransactions;

    Executor callbacks = ForkJoinPool.commonPool();
    Duration storeTimeout = Duration.ofSeconds(5);
    int storeThreads = 8;
    boolean callersRun = true;
    int maxClaims = 10_000;
    private @Nullable ReplayCache replayCache;
    private boolean cached = true;
    Optional<Duration> sweepInterval = Optional.of(Duration.ofHours(1));
    int sweepBatch = 500;

    SemelBuilder(ClaimStore store) {
        this.store = Objects.requireNonNull(store, "A store must not be null");
    }

    /**
     * The secret behind all digests, or several while one is being rotated. Required, and the same in every process that shares
     * the store. To rotate, add the new one on all instances, then make it the current one on all instances, and remove the
     * old one once {@link dev.semel.spi.ClaimBrowser#onlyFoundBy} returns 0.
     */
    public SemelBuilder secrets(Secrets value) {
        secrets = Objects.requireNonNull(value, "Secrets must not be null");
        return this;
    }

    /** Adds a listener. Every listener receives every event. */
    public SemelBuilder listener(ClaimListener value) {
        listeners.add(Objects.requireNonNull(value, "A listener must not be null"));
        return this;
    }

    /** Observes every call from beginning to end, for tracing. By default none does, and then it costs nothing. */
    public SemelBuilder observer(CallObserver value) {
        observer = Objects.requireNonNull(value, "An observer must not be null");
        return this;
    }

    /**
     * The transactions of the application's framework. The engine then refuses to run work inside an open one, unless its
     * operation says {@link Operation#joinTransaction} or {@link Operation#outsideTransaction}. The Spring Boot starters set
     * this.
     */
    public SemelBuilder callerTransactions(CallerTransactions value) {
        callerTransactions = Objects.requireNonNull(value, "Caller transactions must not be null");
        return this;
    }

    /** The executor on which asynchronous work starts and returned futures complete; by default the common pool. */
    public SemelBuilder callbackExecutor(Executor value) {
        callbacks = Objects.requireNonNull(value, "An executor must not be null");
        return this;
    }

    /**
     * How long a caller waits for the store before the outcome is {@code unavailable}; by default 5 s. See {@link
     * #withoutCallerRuns} for the one exception.
     */
    public SemelBuilder storeTimeout(Duration value) {
        storeTimeout = positive("The store's timeout", value);
        return this;
    }

    /**
     * Blocking callers never call the store themselves. By default a blocking caller that finds an idle lane makes its
     * own call, which saves two thread switches. It then waits as long as the store and its pool take, and the store
     * timeout applies only to the callers after it. Without caller runs, the timeout applies to every caller.
     */
    public SemelBuilder withoutCallerRuns() {
        callersRun = false;
        return this;
    }

    /** How many calls to the store may run at the same time; by default 8. A pool should have as many connections. */
    public SemelBuilder storeThreads(int value) {
        storeThreads = positive("The number of store threads", value);
        return this;
    }

    /**
     * How many claims may be in progress, and how many callers may wait for another caller's answer; by default 10,000 each. A
     * claim that timed out counts until its call to the store has ended and the claim has been given back. Further claims are
     * {@code unavailable} with a cause that says busy; further callers receive {@code in progress} without waiting. Settlements
     * and renewals are never refused.
     */
    public SemelBuilder maxClaims(int value) {
        maxClaims = positive("The maximum number of claims", value);
        return this;
    }

    /**
     * Where settled results are kept for replays without the store; by default 32 MiB of this process's memory. It requires a
     * store with an epoch, as all stores of this project have. Replays see an operator's change within seconds, not at once.
     */
    public SemelBuilder replayCache(ReplayCache value) {
        if (!(store instanceof CacheEpoch)) {
            throw new IllegalStateException(
                    "A replay cache requires a store that implements CacheEpoch, so that an operator's change can invalidate"
                            + " what is cached; " + store.getClass().getName() + " does not");
        }
        replayCache = Objects.requireNonNull(value, "A replay cache must not be null");
        cached = true;
        return this;
    }

    /** Every replay reads the store. */
    public SemelBuilder withoutReplayCache() {
        cached = false;
        return this;
    }

    @Nullable
    ReplayCache replayCache() {
        if (!cached || !(store instanceof CacheEpoch)) {
            return null;
        }
        return replayCache == null ? new ProcessReplayCache(DEFAULT_CACHE_BYTES, environment::nanoTime) : replayCache;
    }

    /** How often expired claims are deleted; by default every hour. */
    public SemelBuilder sweepEvery(Duration value) {
        sweepInterval = Optional.of(positive("The sweep's interval", value));
        return this;
    }

    /** How many rows one batch of a sweep may change; by default 500. */
    public SemelBuilder sweepBatch(int value) {
        sweepBatch = positive("The sweep's batch", value);
        return this;
    }

    /** This engine does not delete expired claims, because another process does. */
    public SemelBuilder withoutSweep() {
        sweepInterval = Optional.empty();
        return this;
    }

    public Semel build() {
        if (secrets == null) {
            throw new IllegalStateException(
                    "Semel needs a secret of at least %d bytes: call secrets(Secrets.of(...)) with one that every process"
                                    .formatted(Secret.MIN_BYTES)
                            + " sharing this store has; make it with `openssl rand -hex 32`");
        }
        return new Semel(this, secrets);
    }

    private static Duration positive(String name, Duration value) {
        Objects.requireNonNull(value, () -> name + " must not be null");
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive, but is %s".formatted(name, value));
        }
        return value;
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s must be positive, but is %d".formatted(name, value));
        }
        return value;
    }
}
