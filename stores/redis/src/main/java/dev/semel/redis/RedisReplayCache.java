// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.key.Secret;
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
 * Replays that all instances share, in Redis 6.2 or newer, over one connection. Nothing here blocks, and no failure
 * reaches a caller: whatever Redis does not answer in time, or answers strangely, is a miss, and the store decides.
 *
 * <p><b>When Redis is away</b> it is left alone after a few failures in a row: then a question costs the reading of one
 * field, with no future, no timer and no network. In the background it is tried again, one attempt at a time, after
 * pauses that grow; {@link #health()} tells. Opening a cache neither waits for Redis nor fails without it.
 *
 * <p><b>What Redis sees</b>: keys that are HMACs of tenant, epoch and digest, values sealed with AES-256-GCM, their sizes
 * and when they are asked for. No tenant, key, scope or result can be read there, whether the result was sealed before
 * or not. Whoever can write to Redis can make instances forget, but not make them answer something else: a value that
 * was made up, changed, or moved from another claim, tenant or epoch is a miss. They can put back what was there before,
 * within its epoch, and so make an answer last longer than its claim; for that, protect Redis by a password and a network
 * of its own. A dump that is restored holds entries of old epochs, which nobody asks for, and of the current one, which
 * are still true.
 *
 * <p><b>What is bounded</b>: results larger than {@link RedisOptions#largestEntry} are not kept; values are read up to
 * that size only; entries end when the store's do, by Redis' own clock even if the command was late; and at most 4 MiB
 * are on their way to Redis at a time. Redis' own memory is bounded by its {@code maxmemory} with an eviction policy such
 * as {@code allkeys-lru}: to evict is to miss.
 *
 * <p>Use it behind the process's own cache: {@code new TieredReplayCache(new ProcessReplayCache(bytes), redis)}.
 */
public final class RedisReplayCache implements SharedReplayCache, AutoCloseable {
    /** Not a {@code completedStage}, which would be copied by whoever wants a future. */
    private static final CompletableFuture<Optional<Found>> NOTHING =
            CompletableFuture.completedFuture(Optional.empty());

    /** So many callers may wait for Redis; to more, it has nothing. */
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

    /** As {@link #connect(String, Secret, RedisOptions)}, with the default options. */
    public static RedisReplayCache connect(String redisUrl, Secret secret) {
        return connect(redisUrl, secret, RedisOptions.defaults());
    }

    /**
     * Begins to use the Redis at this address, as soon as it is there.
     *
     * @param redisUrl {@code redis://[[user]:password@]host[:port][/database]}, or {@code rediss://} for TLS
     * @param secret the engine's, and the same in all instances: with another one they do not find each other's entries
     */
    public static RedisReplayCache connect(String redisUrl, Secret secret, RedisOptions options) {
        Objects.requireNonNull(secret, "A secret must not be null: give the cache the engine's");
        RedisReplayCache cache = new RedisReplayCache(parsed(redisUrl), secret, options);
        cache.link.start();
        return cache;
    }

    private static RedisURI parsed(String redisUrl) {
        Objects.requireNonNull(redisUrl, "Redis' URL must not be null");
        try {
            return RedisURI.create(redisUrl);
        } catch (RuntimeException e) {
            // Without the cause: its message holds the URL, and that the password.
            throw new IllegalArgumentException(
                    "Redis' URL cannot be read: write redis://[[user]:password@]host[:port][/database], or rediss:// for"
                            + " TLS, with special characters of the password percent-encoded");
        }
    }

    @Override
    public CompletionStage<Optional<Found>> find(Key key) {
        Line line = link.line();
        if (line == null || reads.get() >= MAX_READS) {
            skipped.increment();
            return NOTHING;
        }
        byte[] name = entries.name(key);
        long sent = System.nanoTime();
        int most = SealedEntries.sealedSize(options.largestEntry());
        reads.incrementAndGet();
        try {
            commands.add(2);
            // The time first: should the entry be replaced in between, the new one is kept too briefly, not too long.
            CompletionStage<Long> left = line.commands().pttl(name);
            return line.commands()
                    .getrange(name, 0, most)
                    .thenCombine(left, (value, millis) -> found(key, value, millis, sent))
                    .handle((found, failure) -> answered(line, failure == null ? found : Optional.empty(), failure));
        } catch (RuntimeException e) {
            answered(line, Optional.empty(), e);
            return NOTHING;
        }
    }

    private Optional<Found> found(Key key, byte @Nullable [] value, long leftMillis, long sent) {
        Optional<SealedEntries.Opened> opened = entries.open(key, value);
        // What has no end, or a later one than it was given, was not left as it was written.
        if (opened.isEmpty() || leftMillis < 0 || leftMillis > opened.get().keepMillis()) {
            return Optional.empty();
        }
        Duration left = Duration.ofMillis(leftMillis).minusNanos(System.nanoTime() - sent);
        return Optional.of(new Found(opened.get().entry(), left.isNegative() ? Duration.ZERO : left));
    }

    private Optional<Found> answered(Line line, Optional<Found> found, @Nullable Throwable failure) {
        reads.decrementAndGet();
        if (failure != null && !Reasons.isForeignValue(failure)) {
            failures.increment();
            link.failed(line, Kind.READ, failure);
            return Optional.empty();
        }
        link.succeeded(Kind.READ);
        (found.isPresent() ? hits : misses).increment();
        return found;
    }

    @Override
    public void put(Key key, Entry entry, Duration keepFor) {
        long now = System.nanoTime();
        Line line = link.line();
        int size = entry.result() == null ? 0 : entry.result().size();
        if (line == null || size > options.largestEntry() || keepFor.toMillis() < 1) {
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
            line.set(entries.name(key), value, now, keepFor)
                    .whenComplete((ok, failure) -> written(line, sealedSize, failure));
        } catch (RuntimeException e) {
            written(line, sealedSize, e);
        }
    }

    private void written(Line line, int size, @Nullable Throwable failure) {
        bytesOnTheirWay.addAndGet(-size);
        if (failure == null) {
            link.succeeded(Kind.WRITE);
        } else {
            failures.increment();
            link.failed(line, Kind.WRITE, failure);
        }
    }

    /** Whether Redis is in use. */
    public RedisHealth health() {
        return link.health();
    }

    /** How often Redis had the answer. */
    public long hits() {
        return hits.sum();
    }

    /** How often it had none. */
    public long misses() {
        return misses.sum();
    }

    /** How many questions and entries failed or took too long. */
    public long failures() {
        return failures.sum();
    }

    /** How many questions were not asked, because Redis is left alone or has too many before it. */
    public long skipped() {
        return skipped.sum();
    }

    /** How many commands were handed to the network for callers, for tests. */
    long commands() {
        return commands.sum();
    }

    /** How often a connection was tried, for tests. */
    long attempts() {
        return link.attempts();
    }

    @Override
    public void close() {
        link.close();
    }
}
