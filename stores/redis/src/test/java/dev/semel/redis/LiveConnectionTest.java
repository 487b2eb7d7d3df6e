// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LiveConnectionTest {
    private static final byte[] NAME = "connection-test".getBytes(StandardCharsets.US_ASCII);

    /** An old time, which may come from another Redis before a failover, is read again. */
    @Test
    void anOldTimeIsReadAgain() throws Exception {
        RedisClient client = RedisClient.create(RedisServer.shared().uri());
        try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            long longAgo = System.nanoTime() - Duration.ofMinutes(1).toNanos();
            LiveConnection current = new LiveConnection(connection, connection.async(), new RedisTime(0, longAgo));

            for (int i = 0; i < 2; i++) {
                current.set(NAME, NAME, System.nanoTime(), Duration.ofMinutes(1))
                        .toCompletableFuture()
                        .get();

                assertThat(connection.sync().pttl(NAME)).isBetween(1L, 60_000L);
                connection.sync().del(NAME);
            }
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }
}
