// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.ReplayCache;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** Puts an engine together; everything but the store and the secret has a default. */
public final class SemelBuilder {
    private static final long DEFAULT_CACHE_BYTES = 32L << 20;

    final ClaimStore store;

    @Nullable
    Secrets secrets;

    ClaimListener listener = event -> {};
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

    /** The secret behind all digests: required, and the same in every process that shares the store. */
    public SemelBuilder secret(Secret value) {
        secrets = Secrets.of(value);
        return this;
    }

    /**
     * Instead of {@link #secret}, while one is being rotated: add the new one beside the old one everywhere, then make
     * it the current one everywhere, and drop the old one once {@link dev.semel.spi.ClaimBrowser#onlyFoundBy} says 0.
     */
    public SemelBuilder secrets(Secrets value) {
        secrets = Objects.requireNonNull(value, "Secrets must not be null");
        return this;
    }

    /** Who is told of what happens. */
    public SemelBuilder listener(ClaimListener value) {
        listener = Objects.requireNonNull(value, "A listener must not be null");
        return this;
    }

    /** Where asynchronous work is started and returned futures complete; by default the common pool. */
    public SemelBuilder callbackExecutor(Executor value) {
        callbacks = Objects.requireNonNull(value, "An executor must not be null");
        return this;
    }

    /**
     * How long a caller waits for the store before it is told {@code unavailable}; by default 5 s. See
     * {@link #withoutCallerRuns} for the one exception.
     */
    public SemelBuilder storeTimeout(Duration value) {
        storeTimeout = positive("The store's time-out", value);
        return this;
    }

    /**
     * Blocking callers never call the store themselves. By default one that finds nobody else at it does, which saves it
     * two thread hand-overs; then it waits for as long as the store and its pool take, and the store's time-out only
     * bounds those who come after it. Without, the time-out is exact for everybody.
     */
    public SemelBuilder withoutCallerRuns() {
        callersRun = false;
        return this;
    }

    /** How many calls to the store may be under way at once; by default 8. A pool should have as many connections. */
    public SemelBuilder storeThreads(int value) {
        storeThreads = positive("The number of store threads", value);
        return this;
    }

    /**
     * How many claims may be under way at once, and how many callers may wait for another's answer; by default 10,000 each.
     * A claim that timed out counts until its call to the store has ended and what it got is given back.
     * Further claims are told {@code unavailable} with a cause that says busy, further waiters that one is in progress.
     * Settlements and renewals are never refused.
     */
    public SemelBuilder maxClaims(int value) {
        maxClaims = positive("The most claims at once", value);
        return this;
    }

    /**
     * Where settled results are kept for replays that need no store; by default 32 MiB of this process's memory. It
     * works where the store has an epoch to go by, as those of this project have. What an operator changes in the store
     * is seen by such replays within seconds, not at once.
     */
    public SemelBuilder replayCache(ReplayCache value) {
        if (!(store instanceof CacheEpoch)) {
            throw new IllegalStateException(
                    "A replay cache needs a store that implements CacheEpoch, so that an operator's change can invalidate"
                            + " what is cached; " + store.getClass().getName() + " does not");
        }
        replayCache = Objects.requireNonNull(value, "A replay cache must not be null");
        cached = true;
        return this;
    }

    /** Every replay comes from the store. */
    public SemelBuilder withoutReplayCache() {
        cached = false;
        return this;
    }

    @Nullable
    ReplayCache replayCache() {
        if (!cached || !(store instanceof CacheEpoch)) {
            return null;
        }
        return replayCache == null ? new ProcessReplayCache(DEFAULT_CACHE_BYTES) : replayCache;
    }

    /** How often expired claims are cleaned up; by default every hour. */
    public SemelBuilder sweepEvery(Duration value) {
        sweepInterval = Optional.of(positive("The sweep's interval", value));
        return this;
    }

    /** How many rows one batch of a sweep may touch; by default 500. */
    public SemelBuilder sweepBatch(int value) {
        sweepBatch = positive("The sweep's batch", value);
        return this;
    }

    /** No clean-up by this engine: another process does it. */
    public SemelBuilder withoutSweep() {
        sweepInterval = Optional.empty();
        return this;
    }

    public Semel build() {
        if (secrets == null) {
            throw new IllegalStateException(
                    "Semel needs a secret of at least %d bytes: call secret(Secret.of(...)) with one that every process"
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
