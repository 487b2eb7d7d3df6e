// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A connection that is in use, and the clock at its other end. */
final class Line {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisAsyncCommands<byte[], byte[]> commands;
    private volatile RedisTime time;

    Line(
            StatefulRedisConnection<byte[], byte[]> connection,
            RedisAsyncCommands<byte[], byte[]> commands,
            RedisTime time) {
        this.connection = connection;
        this.commands = commands;
        this.time = time;
    }

    StatefulRedisConnection<byte[], byte[]> connection() {
        return connection;
    }

    RedisAsyncCommands<byte[], byte[]> commands() {
        return commands;
    }

    /** Keeps it until so long after that moment, however long the command takes to arrive. */
    CompletionStage<String> set(byte[] name, byte[] value, long fromNanos, Duration keepFor) {
        RedisTime known = time;
        if (known.isTrusted()) {
            return commands.set(name, value, SetArgs.Builder.pxAt(known.deadline(fromNanos, keepFor)));
        }
        return commands.time().thenCompose(answer -> {
            RedisTime fresh = RedisTime.of(answer);
            time = fresh;
            return commands.set(name, value, SetArgs.Builder.pxAt(fresh.deadline(fromNanos, keepFor)));
        });
    }
}
