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

class LineTest {
    private static final byte[] NAME = "line-test".getBytes(StandardCharsets.US_ASCII);

    /** What Redis' clock said long ago, or another Redis' before a fail-over, is asked for anew. */
    @Test
    void anOldTimeIsNotUsed() throws Exception {
        RedisClient client = RedisClient.create(RedisServer.shared().uri());
        try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            long longAgo = System.nanoTime() - Duration.ofMinutes(1).toNanos();
            Line line = new Line(connection, connection.async(), new RedisTime(0, longAgo));

            for (int i = 0; i < 2; i++) {
                line.set(NAME, NAME, System.nanoTime(), Duration.ofMinutes(1))
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
