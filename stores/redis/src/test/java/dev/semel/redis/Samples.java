// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secret;
import dev.semel.replay.ReplayCache;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Entries and options for tests. */
final class Samples {
    static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    static final Duration HOUR = Duration.ofHours(1);

    /** Long timeouts, so that a slow machine does not look like a slow Redis, and short pauses. */
    static final RedisOptions LONG_TIMEOUTS = RedisOptions.defaults()
            .withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(5))
            .withBreaker(3, Duration.ofMillis(5), Duration.ofMillis(50));

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private Samples() {}

    /** A claim that no other test uses. */
    static ReplayCache.Key freshKey() {
        return key(1, "acme", NUMBERS.incrementAndGet());
    }

    static ReplayCache.Key key(long epoch, String tenant, int number) {
        byte[] digest = ByteBuffer.allocate(Digest.LENGTH).putInt(number).array();
        return new ReplayCache.Key(epoch, new ClaimRef(tenant, new Digest(digest)));
    }

    static ReplayCache.Entry entry(String text) {
        return new ReplayCache.Entry(
                Status.SUCCEEDED,
                Fingerprint.of("10 EUR"),
                new StoredResult("text/plain", text.getBytes(StandardCharsets.UTF_8)));
    }

    static ReplayCache.Entry entry(int size) {
        return new ReplayCache.Entry(
                Status.SUCCEEDED, Fingerprint.NONE, new StoredResult("text/plain", new byte[size]));
    }
}
