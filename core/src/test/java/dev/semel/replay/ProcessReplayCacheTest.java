// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessReplayCacheTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final ProcessReplayCache cache = new ProcessReplayCache(1 << 20);

    @Test
    void findsKeptEntries() {
        cache.put(key(1, 7), entry(100), HOUR);

        assertThat(get(key(1, 7))).contains(entry(100));
    }

    @Test
    void findsNothingInAnotherEpochOrOfAnotherClaim() {
        cache.put(key(1, 7), entry(100), HOUR);

        assertThat(get(key(2, 7))).isEmpty();
        assertThat(get(key(1, 8))).isEmpty();
    }

    @Test
    void entriesExpire() {
        cache.put(key(1, 7), entry(100), Duration.ofMillis(20));

        await().until(() -> get(key(1, 7)).isEmpty());
    }

    @Test
    void isBoundedByItsBytes() {
        for (int i = 0; i < 10_000; i++) {
            cache.put(key(1, i), entry(500), HOUR);
        }

        assertThat(cache.size())
                .isPositive()
                .isLessThanOrEqualTo((1 << 20) / entry(500).size());
    }

    @Test
    void doesNotKeepEntriesThatAreTooLarge() {
        cache.put(key(1, 7), entry(100_000), HOUR);

        assertThat(get(key(1, 7))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.class,
            names = {"SUCCEEDED", "FAILED"},
            mode = EnumSource.Mode.EXCLUDE)
    void onlyPermanentOutcomesMayBeKept(Status status) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReplayCache.Entry(status, Fingerprint.NONE, null))
                .withMessageContaining(status.name());
    }

    @Test
    void aSketchIsNotKept() {
        Fingerprint sketched = Fingerprint.of("10 EUR").withSketch(new byte[Fingerprint.MAX_SKETCH]);

        ReplayCache.Entry entry = new ReplayCache.Entry(Status.SUCCEEDED, sketched, null);

        assertThat(entry.fingerprint()).isEqualTo(sketched);
        assertThat(entry.fingerprint().sketch()).isEmpty();
    }

    @Test
    void aSizeMustBePositive() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ProcessReplayCache(0));
    }

    private Optional<ReplayCache.Entry> get(ReplayCache.Key key) {
        return cache.get(key).toCompletableFuture().join();
    }

    private static ReplayCache.Key key(long epoch, int number) {
        return new ReplayCache.Key(
                epoch,
                new ClaimRef(
                        "acme",
                        new Digest(ByteBuffer.allocate(Digest.LENGTH)
                                .putInt(number)
                                .array())));
    }

    private static ReplayCache.Entry entry(int size) {
        return new ReplayCache.Entry(
                Status.SUCCEEDED, Fingerprint.NONE, new StoredResult("text/plain", new byte[size]));
    }
}
