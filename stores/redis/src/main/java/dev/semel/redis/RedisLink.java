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
 * Maintains the single connection to Redis. After too many failures, or when it breaks, the connection is closed, and a new
 * one is attempted in the background, one attempt at a time and with growing pauses. Meanwhile a caller only reads one field.
 * Lettuce's reconnect is off, because it does not detect a Redis that accepts connections and does not answer.
 */
final class RedisLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisReplayCache.class);

    /** Lettuce rejects more pending commands than this. The cache itself stops far earlier. */
    private static final int QUEUE = 16_384;

    private static final Duration PROBE_KEPT = Duration.ofSeconds(1);

    private final RedisURI uri;
    private final RedisOptions options;
    private final byte[] probeKey;
    private final Breaker breaker;
    private final RedisClient client;
    private volatile @Nullable LiveConnection current;
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
        ClientOptions.Builder settings = ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(QUEUE)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(options.connectTimeout())
                        .keepAlive(true)
                        .build())
                .timeoutOptions(TimeoutOptions.enabled(options.commandTimeout()));
        if (hasMaintenanceNotifications()) {
            MaintenanceNotifications.disable(settings);
        }
        client.setOptions(settings.build());
    }

    /** Lettuce 6, which Spring Boot 3 has, does not know them. */
    private static boolean hasMaintenanceNotifications() {
        try {
            Class.forName("io.lettuce.core.MaintNotificationsConfig", false, RedisClient.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** A class of its own, which is loaded only with Lettuce 7. */
    private static final class MaintenanceNotifications {
        static void disable(ClientOptions.Builder settings) {
            settings.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        }
    }

    /** Starts to connect in the background. */
    void start() {
        attempt();
    }

    /** The connection, or null while Redis is not used. */
    @Nullable
    LiveConnection connection() {
        return current;
    }

    void succeeded(Breaker.Kind kind) {
        breaker.succeeded(kind);
    }

    /** A command on this connection failed. Failures on earlier connections are ignored. */
    void failed(LiveConnection connection, Breaker.Kind kind, Throwable failure) {
        if (current == connection && breaker.failed(kind)) {
            giveUp(connection, FailureReasons.of(failure));
        }
    }

    RedisHealth health() {
        State now = state;
        Duration since = Duration.ofNanos(System.nanoTime() - now.since());
        return now.trouble() == null ? new RedisHealth.Up(since) : new RedisHealth.Degraded(now.trouble(), since);
    }

    /** The number of attempts to connect, for tests. */
    long attempts() {
        return attempts;
    }

    private void giveUp(LiveConnection connection, String reason) {
        synchronized (this) {
            if (current != connection || closed) {
                return;
            }
            current = null;
            state = new State(reason, System.nanoTime());
        }
        LOG.warn("Redis disabled ({}); replays come from the database until it recovers", reason);
        // This also discards pending writes, because an old entry must not arrive late.
        connection.channel().closeAsync();
        attemptLater();
    }

    private void attemptLater() {
        CompletableFuture.delayedExecutor(breaker.nextPauseNanos(), TimeUnit.NANOSECONDS)
                .execute(this::attempt);
    }

    // Only one attempt runs at a time: the next is scheduled when an attempt has failed or its connection was closed.
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
        // Lettuce limits the time of each step. This limits the total time.
        long bound = options.connectTimeout().plus(options.commandTimeout()).toNanos() * 3;
        connected
                .thenCompose(this::tried)
                .orTimeout(bound, TimeUnit.NANOSECONDS)
                .whenComplete((connection, failure) -> {
                    if (failure == null && use(connection)) {
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
            String reason = FailureReasons.of(failure);
            if (attempts == 1) {
                LOG.warn("Redis unavailable at startup ({}); replays come from the database until it recovers", reason);
            }
            state = new State(reason, state.since());
            attemptLater();
        }
    }

    /** Tests all commands that the cache needs before the connection is used. */
    private CompletionStage<LiveConnection> tried(StatefulRedisConnection<byte[], byte[]> connection) {
        RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        return commands.time().thenCompose(answer -> {
            RedisTime time = RedisTime.of(answer);
            long deadline = time.deadline(System.nanoTime(), PROBE_KEPT);
            return commands.set(probeKey, new byte[] {1}, SetArgs.Builder.pxAt(deadline))
                    .thenCompose(ok -> commands.pttl(probeKey))
                    .thenCompose(left -> commands.getrange(probeKey, 0, 0))
                    .thenApply(value -> new LiveConnection(connection, commands, time));
        });
    }

    /** Starts to use the connection. Returns false if the cache was closed meanwhile. */
    private boolean use(LiveConnection connection) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            breaker.closed();
            state = new State(null, System.nanoTime());
            current = connection;
        }
        LOG.info("Redis connected; replays are cached there");
        connection.channel().addListener(new DisconnectListener(() -> giveUp(connection, "the connection broke")));
        if (!connection.channel().isOpen()) {
            giveUp(connection, "the connection broke");
        }
        return true;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            current = null;
            state = new State("closed", System.nanoTime());
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** @param trouble null while Redis is in use */
    private record State(@Nullable String trouble, long since) {}
}
