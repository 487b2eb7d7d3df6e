// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection to Redis, while there is one worth using. After too many failures, or once it breaks, it is given
 * up, and a new one is tried in the background, one attempt at a time and ever less often. Whoever asks meanwhile reads
 * one field. Lettuce's own reconnecting is off: it would know nothing of a Redis that accepts and does not answer.
 */
final class RedisLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisReplayCache.class);

    /** More commands on their way than this are refused by Lettuce; the cache itself stops far earlier. */
    private static final int QUEUE = 16_384;

    private static final Duration PROBE_KEPT = Duration.ofSeconds(1);

    private final RedisURI uri;
    private final RedisOptions options;
    private final byte[] probeKey;
    private final Breaker breaker;
    private final RedisClient client;
    private volatile @Nullable Line live;
    private volatile State state = new State("not connected yet", System.nanoTime());
    private volatile boolean closed;
    private volatile long attempts;

    RedisLink(RedisURI uri, RedisOptions options) {
        this.uri = uri;
        this.options = options;
        this.probeKey = (options.keyPrefix() + "probe").getBytes(StandardCharsets.US_ASCII);
        this.breaker = new Breaker(options, () -> ThreadLocalRandom.current().nextDouble());
        uri.setTimeout(options.connectTimeout());
        this.client = RedisClient.create();
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(QUEUE)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(options.connectTimeout())
                        .keepAlive(true)
                        .build())
                .timeoutOptions(TimeoutOptions.enabled(options.commandTimeout()))
                .build());
    }

    /** Begins to connect, in the background. */
    void start() {
        attempt();
    }

    /** The way to Redis, or null while it is left alone. */
    @Nullable
    Line line() {
        return live;
    }

    void succeeded(Breaker.Kind kind) {
        breaker.succeeded(kind);
    }

    /** A command of this line failed; what failed on an earlier line is old news. */
    void failed(Line line, Breaker.Kind kind, Throwable failure) {
        if (live == line && breaker.failed(kind)) {
            giveUp(line, Reasons.of(failure));
        }
    }

    RedisHealth health() {
        State now = state;
        Duration since = Duration.ofNanos(System.nanoTime() - now.since());
        return now.trouble() == null ? new RedisHealth.Up(since) : new RedisHealth.Degraded(now.trouble(), since);
    }

    /** How often a connection was tried, for tests. */
    long attempts() {
        return attempts;
    }

    private void giveUp(Line line, String reason) {
        synchronized (this) {
            if (live != line || closed) {
                return;
            }
            live = null;
            state = new State(reason, System.nanoTime());
        }
        LOG.warn("Redis is left alone ({}): the store answers replays until it is back", reason);
        // Also drops what is still waiting to be written: an old entry must not arrive late.
        line.connection().closeAsync();
        attemptLater();
    }

    private void attemptLater() {
        CompletableFuture.delayedExecutor(breaker.nextPauseNanos(), TimeUnit.NANOSECONDS)
                .execute(this::attempt);
    }

    // Only one attempt is ever under way: the next is planned when one has failed, or when its line is given up.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void attempt() {
        if (closed) {
            return;
        }
        attempts++;
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting;
        try {
            connecting = client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
        } catch (RuntimeException e) {
            connecting = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connected = connecting;
        // Lettuce bounds each step; this bounds them together, whatever happens.
        long bound = options.connectTimeout().plus(options.commandTimeout()).toNanos() * 3;
        connected
                .thenCompose(this::tried)
                .orTimeout(bound, TimeUnit.NANOSECONDS)
                .whenComplete((line, failure) -> {
                    if (failure == null && use(line)) {
                        return;
                    }
                    connected.thenAccept(StatefulRedisConnection::closeAsync);
                    if (failure != null) {
                        failedAttempt(failure);
                    }
                });
    }

    private synchronized void failedAttempt(Throwable failure) {
        if (!closed) {
            String reason = Reasons.of(failure);
            if (attempts == 1) {
                LOG.warn("Redis cannot be used ({}): the store answers replays until it can", reason);
            }
            state = new State(reason, state.since());
            attemptLater();
        }
    }

    /** A Redis that does not do what will be asked of it is no better than none. */
    private CompletionStage<Line> tried(StatefulRedisConnection<byte[], byte[]> connection) {
        RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        return commands.time().thenCompose(answer -> {
            RedisTime time = RedisTime.of(answer);
            long deadline = time.deadline(System.nanoTime(), PROBE_KEPT);
            return commands.set(probeKey, new byte[] {1}, SetArgs.Builder.pxAt(deadline))
                    .thenCompose(ok -> commands.pttl(probeKey))
                    .thenCompose(left -> commands.getrange(probeKey, 0, 0))
                    .thenApply(value -> new Line(connection, commands, time));
        });
    }

    /** False if it is too late for this line. */
    private boolean use(Line line) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            breaker.closed();
            state = new State(null, System.nanoTime());
            live = line;
        }
        LOG.info("Redis is in use for replays");
        line.connection().addListener(new Disconnections(() -> giveUp(line, "the connection broke")));
        if (!line.connection().isOpen()) {
            giveUp(line, "the connection broke");
        }
        return true;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            live = null;
            state = new State("closed", System.nanoTime());
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** @param trouble null while Redis is in use */
    private record State(@Nullable String trouble, long since) {}
}
