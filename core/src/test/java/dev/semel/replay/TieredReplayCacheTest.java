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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class TieredReplayCacheTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ReplayCache.Key KEY =
            new ReplayCache.Key(1, new ClaimRef("acme", new Digest(new byte[Digest.LENGTH])));
    private static final ReplayCache.Entry ENTRY =
            new ReplayCache.Entry(Status.SUCCEEDED, Fingerprint.NONE, new StoredResult("text/plain", new byte[10]));

    private final Elsewhere elsewhere = new Elsewhere();
    private final TieredReplayCache cache = new TieredReplayCache(new ProcessReplayCache(1 << 20), elsewhere);

    @Test
    void anEntryIsInBothTiersAndComesFromTheProcess() {
        cache.put(KEY, ENTRY, HOUR);

        assertThat(get()).contains(ENTRY);
        assertThat(elsewhere.entries).containsEntry(KEY, new SharedReplayCache.Found(ENTRY, HOUR));
        assertThat(elsewhere.asked).isEmpty();
        assertThat(cache.processHits()).isEqualTo(1);
    }

    @Test
    void anEntryOfAnotherInstanceIsReadOnce() {
        elsewhere.put(KEY, ENTRY, HOUR);

        assertThat(get()).contains(ENTRY);
        assertThat(get()).contains(ENTRY);

        assertThat(elsewhere.asked).containsExactly(KEY);
        assertThat(cache.sharedHits()).isEqualTo(1);
        assertThat(cache.processHits()).isEqualTo(1);
    }

    @Test
    void aCopyExpiresWithTheSharedEntry() {
        elsewhere.put(KEY, ENTRY, Duration.ofMillis(20));
        assertThat(get()).contains(ENTRY);

        elsewhere.entries.clear();

        await().until(() -> get().isEmpty());
    }

    @Test
    void anEntryWithoutTimeLeftIsUsedAndNotKept() {
        elsewhere.put(KEY, ENTRY, Duration.ZERO);
        assertThat(get()).contains(ENTRY);

        elsewhere.entries.clear();

        assertThat(get()).isEmpty();
    }

    @Test
    void anEntryThatNeitherTierHasIsAMissWithoutAFuture() {
        assertThat((Object) cache.get(KEY)).isSameAs(cache.get(KEY));
        assertThat(get()).isEmpty();
        assertThat(cache.misses()).isEqualTo(3);
    }

    @Test
    void aSharedCacheThatFailsCountsAsEmpty() {
        elsewhere.answer = CompletableFuture.failedFuture(new IllegalStateException("unavailable"));

        assertThat(get()).isEmpty();
        assertThat(cache.misses()).isEqualTo(1);
    }

    @Test
    void aSharedCacheThatAnswersLaterIsWaitedFor() {
        CompletableFuture<Optional<SharedReplayCache.Found>> later = new CompletableFuture<>();
        elsewhere.answer = later;
        CompletableFuture<Optional<ReplayCache.Entry>> asked = cache.get(KEY).toCompletableFuture();
        assertThat(asked).isNotDone();

        later.complete(Optional.of(new SharedReplayCache.Found(ENTRY, HOUR)));

        assertThat(asked).isCompletedWithValue(Optional.of(ENTRY));
    }

    @Test
    void aSharedCacheCanBeReadWithoutTheTimeLeft() {
        elsewhere.put(KEY, ENTRY, HOUR);

        assertThat(elsewhere.get(KEY).toCompletableFuture()).isCompletedWithValue(Optional.of(ENTRY));
    }

    @Test
    void theTimeLeftMustNotBeNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SharedReplayCache.Found(ENTRY, Duration.ofMillis(-1)));
    }

    private Optional<ReplayCache.Entry> get() {
        return cache.get(KEY).toCompletableFuture().join();
    }

    /** The memory of another process. */
    private static final class Elsewhere implements SharedReplayCache {
        final Map<Key, Found> entries = new ConcurrentHashMap<>();
        final List<Key> asked = new ArrayList<>();
        CompletionStage<Optional<Found>> answer;

        @Override
        public CompletionStage<Optional<Found>> find(Key key) {
            asked.add(key);
            return answer != null ? answer : CompletableFuture.completedStage(Optional.ofNullable(entries.get(key)));
        }

        @Override
        public void put(Key key, Entry entry, Duration keepFor) {
            entries.put(key, new Found(entry, keepFor));
        }
    }
}
