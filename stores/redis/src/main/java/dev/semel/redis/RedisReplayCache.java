// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.redis.Breaker.Kind;
import dev.semel.replay.SharedReplayCache;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A replay cache in Redis 6.2 or newer that all instances share. It uses one connection, never blocks, and passes no failure
 * on to a caller: a late or invalid answer of Redis is a miss, and the store decides.
 *
 * <p><b>If Redis is unavailable</b>, it is disabled after a few consecutive failures. A lookup then only reads one field,
 * without a future, a timer or network traffic. New attempts to connect run in the background, one at a time, with growing
 * pauses. {@link #health()} shows the state. Opening a cache does not wait for Redis and does not fail without it.
 *
 * <p><b>Security.</b> Redis sees keys that are HMACs of tenant, epoch and digest, values encrypted with AES-256-GCM, their
 * sizes and the times of lookups. Tenants, keys, scopes and results cannot be read there. An attacker with write access to
 * Redis can delete entries but cannot forge answers: a value that was invented, modified, or copied from another claim,
 * tenant or epoch is a miss. The attacker can restore an earlier value of the same epoch, so that an answer outlives its
 * claim. Therefore protect Redis with a password and a separate network. A restored dump has entries of old epochs, which
 * are never read, and of the current epoch, which are still valid.
 *
 * <p><b>Limits.</b> Results larger than {@link RedisOptions#largestEntry} are not cached, and values are read only up to that
 * size. Entries expire together with the claims in the store, by Redis' own clock, even if the command was late. At most
 * 4 MiB are in transit to Redis at a time. Limit the memory of Redis with {@code maxmemory} and an eviction policy such as
 * {@code allkeys-lru}: an evicted entry is a miss.
 *
 * <p>Use it together with the cache of the process: {@code new TieredReplayCache(new ProcessReplayCache(bytes), redis)}.
 */
public final class RedisReplayCache implements SharedReplayCache, AutoCloseable {
    /** A future and not a {@code completedStage}, whose {@code toCompletableFuture} makes a copy. */
    private static final CompletableFuture<Optional<Found>> NOTHING =
            CompletableFuture.completedFuture(Optional.empty());

    /** The maximum number of callers that wait for Redis. For further callers a lookup is a miss. */
    private static final int MAX_READS = 4_096;

    private static final long MAX_BYTES = 4L << 20;

    private final RedisOptions options;
    private final SealedEntries entries;
    private final RedisLink link;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicLong bytesOnTheirWay = new AtomicLong();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder commands = new LongAdder();

    private RedisReplayCache(RedisURI uri, Secret secret, RedisOptions options) {
        this.options = options;
        this.entries = new SealedEntries(secret, options.keyPrefix());
        this.link = new RedisLink(uri, options);
    }

    /** As {@link #connect(String, Secrets, RedisOptions)}, with the default options. */
    public static RedisReplayCache connect(String redisUrl, Secrets secrets) {
        return connect(redisUrl, secrets, RedisOptions.defaults());
    }

    /**
     * Opens a cache that uses the Redis at this address as soon as it is available.
     *
     * @param redisUrl {@code redis://[[user]:password@]host[:port][/database]}, or {@code rediss://} for TLS
     * @param secrets the secrets of the engine. Entries are encrypted with the current one, and instances with another current secret
     *     do not share them.
     */
    public static RedisReplayCache connect(String redisUrl, Secrets secrets, RedisOptions options) {
        Objects.requireNonNull(secrets, "Secrets must not be null: use those of the engine");
        RedisReplayCache cache = new RedisReplayCache(parsed(redisUrl), secrets.current(), options);
        cache.link.start();
        return cache;
    }

    private static RedisURI parsed(String redisUrl) {
        Objects.requireNonNull(redisUrl, "The Redis URL must not be null");
        try {
            return RedisURI.create(redisUrl);
        } catch (RuntimeException e) {
            // Without the cause, because its message contains the URL with the password.
            throw new IllegalArgumentException(
                    "The Redis URL is malformed: write redis://[[user]:password@]host[:port][/database], or rediss:// for"
                            + " TLS, with special characters of the password percent-encoded");
        }
    }

    @Override
    public CompletionStage<Optional<Found>> find(Key key) {
        LiveConnection connection = link.connection();
        if (connection == null || reads.get() >= MAX_READS) {
            skipped.increment();
            return NOTHING;
        }
        byte[] name = entries.name(key);
        long sent = System.nanoTime();
        int most = SealedEntries.sealedSize(options.largestEntry());
        reads.incrementAndGet();
        try {
            commands.add(2);
            // The remaining time first: if the entry is replaced between the commands, the new one is cached too
            // briefly, not too long.
            CompletionStage<Long> left = connection.commands().pttl(name);
            return connection
                    .commands()
                    .getrange(name, 0, most)
                    .thenCombine(left, (value, millis) -> found(key, value, millis, sent))
                    .handle((found, failure) ->
                            answered(connection, failure == null ? found : Optional.empty(), failure));
        } catch (RuntimeException e) {
            answered(connection, Optional.empty(), e);
            return NOTHING;
        }
    }

    private Optional<Found> found(Key key, byte @Nullable [] value, long leftMillis, long sent) {
        Optional<SealedEntries.Opened> opened = entries.open(key, value);
        // An entry without expiry, or with a later one than it was given, was modified.
        if (opened.isEmpty() || leftMillis < 0 || leftMillis > opened.get().keepMillis()) {
            return Optional.empty();
        }
        Duration left = Duration.ofMillis(leftMillis).minusNanos(System.nanoTime() - sent);
        return Optional.of(new Found(opened.get().entry(), left.isNegative() ? Duration.ZERO : left));
    }

    private Optional<Found> answered(LiveConnection connection, Optional<Found> found, @Nullable Throwable failure) {
        reads.decrementAndGet();
        if (failure != null && !FailureReasons.isForeignValue(failure)) {
            failures.increment();
            link.failed(connection, Kind.READ, failure);
            return Optional.empty();
        }
        link.succeeded(Kind.READ);
        (found.isPresent() ? hits : misses).increment();
        return found;
    }

    @Override
    public void put(Key key, Entry entry, Duration keepFor) {
        long now = System.nanoTime();
        LiveConnection connection = link.connection();
        int size = entry.result() == null ? 0 : entry.result().size();
        if (connection == null || size > options.largestEntry() || keepFor.toMillis() < 1) {
            return;
        }
        int sealedSize = SealedEntries.sealedSize(size);
        if (bytesOnTheirWay.addAndGet(sealedSize) > MAX_BYTES) {
            bytesOnTheirWay.addAndGet(-sealedSize);
            return;
        }
        try {
            byte[] value = entries.seal(key, entry, keepFor.toMillis());
            commands.increment();
            connection
                    .set(entries.name(key), value, now, keepFor)
                    .whenComplete((ok, failure) -> written(connection, sealedSize, failure));
        } catch (RuntimeException e) {
            written(connection, sealedSize, e);
        }
    }

    private void written(LiveConnection connection, int size, @Nullable Throwable failure) {
        bytesOnTheirWay.addAndGet(-size);
        if (failure == null) {
            link.succeeded(Kind.WRITE);
        } else {
            failures.increment();
            link.failed(connection, Kind.WRITE, failure);
        }
    }

    /** Whether Redis is in use. */
    public RedisHealth health() {
        return link.health();
    }

    /** The number of lookups that found an entry. */
    public long hits() {
        return hits.sum();
    }

    /** The number of lookups that found no entry. */
    public long misses() {
        return misses.sum();
    }

    /** The number of lookups and writes that failed or timed out. */
    public long failures() {
        return failures.sum();
    }

    /** The number of lookups that were skipped because Redis is disabled or too many are pending. */
    public long skipped() {
        return skipped.sum();
    }

    /** The number of commands that were sent for callers, for tests. */
    long commands() {
        return commands.sum();
    }

    /** The number of attempts to connect, for tests. */
    long attempts() {
        return link.attempts();
    }

    @Override
    public void close() {
        link.close();
    }
}
