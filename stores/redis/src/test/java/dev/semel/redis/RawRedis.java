// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;

/** Direct access to Redis, as an attacker could have it. */
final class RawRedis implements AutoCloseable {
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    RawRedis(RedisServer server) {
        client = RedisClient.create(server.uri());
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    RedisCommands<byte[], byte[]> commands() {
        return connection.sync();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
