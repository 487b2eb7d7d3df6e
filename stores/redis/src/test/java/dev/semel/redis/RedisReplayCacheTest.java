// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static dev.semel.redis.Samples.HOUR;
import static dev.semel.redis.Samples.LONG_TIMEOUTS;
import static dev.semel.redis.Samples.SECRET;
import static dev.semel.redis.Samples.entry;
import static dev.semel.redis.Samples.freshKey;
import static dev.semel.redis.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.semel.key.Secrets;
import dev.semel.replay.ReplayCache;
import dev.semel.replay.SharedReplayCache.Found;
import dev.semel.testservers.RedisServer;
import io.lettuce.core.SetArgs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One instance writes, another reads. In between, an attacker reads and modifies the values in Redis. */
class RedisReplayCacheTest {
    private final RedisServer server = RedisServer.shared();
    private final SealedEntries names = new SealedEntries(SECRET, LONG_TIMEOUTS.keyPrefix());
    private final RedisReplayCache writer = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), LONG_TIMEOUTS);
    private final RedisReplayCache reader = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), LONG_TIMEOUTS);
    private final RawRedis raw = new RawRedis(server);

    @BeforeEach
    void connected() {
        await().until(() -> writer.health() instanceof RedisHealth.Up);
        await().until(() -> reader.health() instanceof RedisHealth.Up);
    }

    @AfterEach
    void close() {
        raw.close();
        reader.close();
        writer.close();
    }

    @Test
    void anInstanceFindsTheEntryOfAnother() {
        ReplayCache.Key key = kept(entry("paid"), HOUR);

        Found found = find(key).orElseThrow();

        assertThat(found.entry()).isEqualTo(entry("paid"));
        assertThat(found.left()).isPositive().isLessThanOrEqualTo(HOUR).isGreaterThan(HOUR.minusMinutes(5));
        assertThat(reader.get(key).toCompletableFuture().join()).contains(entry("paid"));
        assertThat(reader.hits()).isEqualTo(2);
    }

    @Test
    void findsNothingInAnotherEpochOrOfAnotherTenantOrClaim() {
        int number = 1_000_000;
        writer.put(key(5, "acme", number), entry("paid"), HOUR);
        await().until(() -> find(key(5, "acme", number)).isPresent());
        long misses = reader.misses();

        assertThat(find(key(6, "acme", number))).isEmpty();
        assertThat(find(key(5, "other", number))).isEmpty();
        assertThat(find(key(5, "acme", number + 1))).isEmpty();
        assertThat(reader.misses()).isEqualTo(misses + 3);
    }

    @Test
    void entriesExpire() {
        ReplayCache.Key key = kept(entry("paid"), Duration.ofSeconds(2));
        assertThat(raw.commands().pttl(names.name(key))).isBetween(0L, 2_000L);

        await().until(() -> find(key).isEmpty());
        assertThat(raw.commands().exists(names.name(key))).isZero();
    }

    @Test
    void largeResultsAreNotKept() {
        ReplayCache.Key large = freshKey();
        writer.put(large, entry(LONG_TIMEOUTS.largestEntry() + 1), HOUR);
        kept(entry(LONG_TIMEOUTS.largestEntry()), HOUR);

        assertThat(raw.commands().exists(names.name(large))).isZero();
        assertThat(writer.commands()).isEqualTo(1);
    }

    /** Access to Redis reveals neither tenants nor content. */
    @Test
    void redisSeesNoKeysAndNoContent() {
        ReplayCache.Key key = kept(entry("iban DE02120300000000202051"), HOUR);
        byte[] name = names.name(key);

        assertThat(text(raw.commands().get(name))).doesNotContain("iban").doesNotContain("text/plain");
        assertThat(text(name)).startsWith(LONG_TIMEOUTS.keyPrefix()).doesNotContain("acme");
        assertThat(text(name)).doesNotContain(key.ref().digest().hex().substring(0, 8));
    }

    @Test
    void aValueThatWasMovedIsAMiss() {
        ReplayCache.Key mine = kept(entry("mine"), HOUR);
        ReplayCache.Key yours = kept(entry("yours"), HOUR);

        overwrite(yours, raw.commands().get(names.name(mine)));

        assertThat(find(yours)).isEmpty();
        assertThat(find(mine)).isPresent();
    }

    @Test
    void aValueThatWasChangedIsAMiss() {
        ReplayCache.Key key = kept(entry("paid"), HOUR);
        byte[] forged = raw.commands().get(names.name(key));
        forged[forged.length - 1] ^= 1;

        overwrite(key, forged);

        assertThat(find(key)).isEmpty();
        assertThat(reader.failures()).isZero();
    }

    @Test
    void foreignValuesAreMisses() {
        ReplayCache.Key key = freshKey();
        byte[] name = names.name(key);
        overwrite(key, "hello".getBytes(StandardCharsets.US_ASCII));
        assertThat(find(key)).isEmpty();
        overwrite(key, new byte[0]);
        assertThat(find(key)).isEmpty();
        overwrite(key, new byte[10 * LONG_TIMEOUTS.largestEntry()]);
        assertThat(find(key)).isEmpty();
        raw.commands().del(name);
        raw.commands().lpush(name, name);
        for (int i = 0; i < 2 * LONG_TIMEOUTS.failures(); i++) {
            assertThat(find(key)).isEmpty();
        }

        assertThat(reader.failures()).isZero();
        assertThat(reader.health()).isInstanceOf(RedisHealth.Up.class);
    }

    @Test
    void aValueIsReadUpToTheMaximumSize() {
        ReplayCache.Key key = kept(entry("paid"), HOUR);
        byte[] value = raw.commands().get(names.name(key));

        overwrite(key, Arrays.copyOf(value, 10 * LONG_TIMEOUTS.largestEntry()));

        assertThat(find(key)).isEmpty();
    }

    @Test
    void anEntryWithAnExtendedLifetimeIsAMiss() {
        ReplayCache.Key longer = kept(entry("paid"), Duration.ofMinutes(10));
        ReplayCache.Key endless = kept(entry("paid"), Duration.ofMinutes(10));
        raw.commands().pexpire(names.name(longer), HOUR.toMillis());
        raw.commands().persist(names.name(endless));

        assertThat(find(longer)).isEmpty();
        assertThat(find(endless)).isEmpty();
    }

    @Test
    void anEvictedEntryIsAMiss() {
        ReplayCache.Key key = kept(entry("paid"), HOUR);

        raw.commands().del(names.name(key));

        assertThat(find(key)).isEmpty();
    }

    @Test
    void aMalformedUrlIsRejectedWithoutShowingIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisReplayCache.connect("http://:hunter2@127.0.0.1", Secrets.of(SECRET)))
                .withMessageContaining("redis://")
                .withMessageNotContaining("hunter2")
                .withNoCause();
    }

    private ReplayCache.Key kept(ReplayCache.Entry entry, Duration keepFor) {
        ReplayCache.Key key = freshKey();
        raw.commands().del(names.name(key));
        writer.put(key, entry, keepFor);
        await().until(() -> raw.commands().exists(names.name(key)) == 1);
        return key;
    }

    private void overwrite(ReplayCache.Key key, byte[] value) {
        raw.commands().set(names.name(key), value, SetArgs.Builder.px(60_000));
    }

    private Optional<Found> find(ReplayCache.Key key) {
        return reader.find(key).toCompletableFuture().join();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
