// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** An established connection with the last known time of Redis. */
final class LiveConnection {
    private final StatefulRedisConnection<byte[], byte[]> channel;
    private final RedisAsyncCommands<byte[], byte[]> commands;
    private volatile RedisTime time;

    LiveConnection(
            StatefulRedisConnection<byte[], byte[]> channel,
            RedisAsyncCommands<byte[], byte[]> commands,
            RedisTime time) {
        this.channel = channel;
        this.commands = commands;
        this.time = time;
    }

    StatefulRedisConnection<byte[], byte[]> channel() {
        return channel;
    }

    RedisAsyncCommands<byte[], byte[]> commands() {
        return commands;
    }

    /** Stores a value that expires at a fixed time, even if the command arrives late. */
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
