// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.replay.ReplayCache;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Point 8 of the protocol: a cache answers what it knows, and decides nothing. */
@EngineTest
class ReplayCacheTest {
    private static final ClaimKey OTHER = CHARGE.key("acme", "order-18");

    private final CountingStore store = new CountingStore();
    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();
    private Semel semel = Semel.on(store)
            .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
            .withoutSweep()
            .build();

    @AfterEach
    void close() {
        semel.close();
    }

    @Test
    void aSettledResultIsReplayedWithoutTheStore() {
        warmUp();
        semel.execute(CHARGE, KEY, work);
        int calls = store.calls.get();

        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(store.calls).hasValue(calls);
    }

    /** A process that did not do the work learns its result from the store once. */
    @Test
    void aResultThatWasReadFromTheStoreIsReplayedWithoutIt() {
        try (Semel elsewhere = Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .withoutSweep()
                .build()) {
            elsewhere.execute(CHARGE, KEY, work);
        }
        warmUp();
        semel.execute(CHARGE, KEY, work);
        int calls = store.calls.get();

        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(store.calls).hasValue(calls);
    }

    @Test
    void aResultThatWasReadFromTheStoreIsKeptNoLongerThanThere() {
        Operation<String> brief = CHARGE.withTtl(Duration.ofMillis(300));
        warmUp();
        try (Semel elsewhere = Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .withoutSweep()
                .build()) {
            elsewhere.execute(brief, KEY, work);
        }
        semel.execute(brief, KEY, work);

        await().until(() -> semel.execute(brief, KEY, work).equals(new Outcome.Succeeded<>("receipt 2", false)));
    }

    @Test
    void aFinalFailureIsReplayedWithoutTheStore() {
        warmUp();
        Operation<String> strict = CHARGE.classifyingFailures(failure -> FailureClass.FINAL);
        semel.execute(strict, KEY, run -> {
            throw new IllegalStateException("declined");
        });
        int calls = store.calls.get();

        assertThat(semel.execute(strict, KEY, work)).isInstanceOf(Outcome.Failed.class);
        assertThat(store.calls).hasValue(calls);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aRetryableFailureIsNotKept() {
        warmUp();
        semel.execute(CHARGE, KEY, run -> {
            throw new IllegalStateException("declined");
        });

        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void theStoreDecidesAboutAnotherFingerprint() {
        warmUp();
        semel.execute(CHARGE, KEY, Fingerprint.of("10 EUR"), work);

        assertThat(semel.execute(CHARGE, KEY, Fingerprint.of("20 EUR"), work))
                .isEqualTo(new Outcome.Mismatch<>(Fingerprint.of("10 EUR")));
        assertThat(semel.execute(CHARGE, KEY, Fingerprint.of("10 EUR"), work))
                .isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    @Test
    void nothingIsKeptLongerThanTheStoreKeepsIt() {
        warmUp();
        Operation<String> brief = CHARGE.withTtl(Duration.ofMillis(50));
        semel.execute(brief, KEY, work);

        await().until(() -> semel.execute(brief, KEY, work).equals(new Outcome.Succeeded<>("receipt 2", false)));
    }

    /** Two records turned out to be the same thing: the answer of the other record says nothing about this key alone. */
    @Test
    void theAnswerToAnAliasConflictIsNotReplayedUnderTheKeyThatAsked() {
        warmUp();
        semel.execute(CHARGE, KEY, run -> {
            throw new IllegalStateException("declined");
        });
        semel.execute(CHARGE, OTHER, run -> "the other's receipt");

        assertThat(semel.execute(CHARGE, KEY.alsoKnownAs(OTHER.key()), Fingerprint.NONE, work))
                .isEqualTo(new Outcome.Succeeded<>("the other's receipt", true));

        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void workThatRanAfterAnAliasConflictIsReplayedUnderItsOwnRecordOnly() {
        warmUp();
        semel.execute(CHARGE, KEY, run -> {
            throw new IllegalStateException("declined");
        });
        TestEngine.get(semel.claim(OTHER, Fingerprint.NONE, CHARGE.terms(), Duration.ZERO));
        store.memory.age(semel.refOf(OTHER), CHARGE.terms().lease());

        assertThat(semel.execute(CHARGE, KEY.alsoKnownAs(OTHER.key()), Fingerprint.NONE, run -> "the other's receipt"))
                .isEqualTo(new Outcome.Succeeded<>("the other's receipt", false));

        assertThat(semel.execute(CHARGE, OTHER, work)).isEqualTo(new Outcome.Succeeded<>("the other's receipt", true));
        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    /** Row 33: an operator's change, or a cache restored from an old dump, leaves entries of another epoch behind. */
    @Test
    void row33_anEntryOfAnotherEpochIsNotFound() {
        Remembering cache = use(new Remembering());
        semel.execute(CHARGE, KEY, work);
        assertThat(cache.entries).hasSize(1);

        store.memory.advance();

        await().until(() -> {
            int calls = store.calls.get();
            semel.execute(CHARGE, KEY, work);
            return store.calls.get() > calls;
        });
        assertThat(runs).hasValue(1);
    }

    /** Row 34: a result that the store did not confirm is not in the cache. */
    @Test
    void row34_theCacheIsFilledOnlyAfterTheCommit() {
        Remembering cache = use(new Remembering());
        AtomicBoolean early = new AtomicBoolean();
        store.onSettle = () -> early.set(!cache.entries.isEmpty());

        semel.execute(CHARGE, KEY, work);

        assertThat(early).isFalse();
        assertThat(cache.entries).hasSize(1);
    }

    @Test
    void row34_anUnconfirmedSettlementIsNotKept() {
        Remembering cache = use(new Remembering());
        store.onSettle = () -> {
            throw new StoreException(StoreException.Kind.REJECTED, "no such column");
        };

        assertThat(semel.execute(CHARGE, KEY, work)).isInstanceOf(Outcome.Unsettled.class);

        assertThat(cache.entries).isEmpty();
    }

    /** Row 32: a cache that is down counts as empty. */
    @Test
    void row32_aCacheThatThrowsFailsNoClaim() {
        use(new ReplayCache() {
            @Override
            public CompletionStage<Optional<Entry>> get(Key key) {
                throw new IllegalStateException("cache is down");
            }

            @Override
            public void put(Key key, Entry entry, Duration keepFor) {
                throw new IllegalStateException("cache is down");
            }
        });

        assertOnce();
    }

    @Test
    void row32_aCacheThatFailsLaterFailsNoClaim() {
        use(new Remembering() {
            @Override
            public CompletionStage<Optional<Entry>> get(Key key) {
                return CompletableFuture.failedFuture(new IllegalStateException("cache is down"));
            }
        });

        assertOnce();
    }

    @Test
    void row32_aCacheThatNeverAnswersDelaysNoClaim() {
        use(new Remembering() {
            @Override
            public CompletionStage<Optional<Entry>> get(Key key) {
                return new CompletableFuture<>();
            }
        });

        assertOnce();
    }

    @Test
    void anEpochThatIsNotKnownIsNotTrusted() {
        store.epochFails = true;
        use(new Remembering(), 0);
        semel.execute(CHARGE, KEY, work);
        int calls = store.calls.get();

        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(store.calls.get()).isGreaterThan(calls);
    }

    @Test
    void itCanBeDisabled() {
        semel.close();
        semel = Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .withoutReplayCache()
                .build();
        semel.execute(CHARGE, KEY, work);
        int calls = store.calls.get();

        semel.execute(CHARGE, KEY, work);

        assertThat(store.calls.get()).isGreaterThan(calls);
        assertThat(store.epochsAsked).hasValue(0);
    }

    @Test
    void aStoreWithoutAnEpochCannotHaveACache() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Semel.on(new ObservedStore(store)).replayCache(new Remembering()))
                .withMessageContaining("CacheEpoch")
                .withMessageContaining("ObservedStore");
    }

    private void assertOnce() {
        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(semel.execute(CHARGE, KEY, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    private <C extends ReplayCache> C use(C cache) {
        return use(cache, 1);
    }

    private <C extends ReplayCache> C use(C cache, int epochs) {
        semel.close();
        semel = Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .replayCache(cache)
                .build();
        if (epochs > 0) {
            warmUp();
        }
        return cache;
    }

    /** Waits until the engine knows the epoch. */
    private void warmUp() {
        semel.execute(CHARGE, CHARGE.key("acme", "warm-up"), run -> "warm");
        await().until(() -> store.epochsAnswered.get() > 0);
        store.epochsAnswered.set(0);
        semel.execute(CHARGE, CHARGE.key("acme", "warm-up"), run -> "warm");
    }

    /** Keeps every entry except that of the warm-up. */
    private static class Remembering implements ReplayCache {
        final Map<Key, Entry> entries = new ConcurrentHashMap<>();

        @Override
        public CompletionStage<Optional<Entry>> get(Key key) {
            return CompletableFuture.completedStage(Optional.ofNullable(entries.get(key)));
        }

        @Override
        public void put(Key key, Entry entry, Duration keepFor) {
            assertThat(keepFor).isPositive().isLessThanOrEqualTo(Duration.ofHours(1));
            if (entry.result() == null || !entry.result().text().equals("warm")) {
                entries.put(key, entry);
            }
        }
    }

    /** Counts the engine's calls. */
    private static final class CountingStore implements ClaimStore, CacheEpoch {
        final MemoryClaimStore memory = new MemoryClaimStore();
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger epochsAsked = new AtomicInteger();
        final AtomicInteger epochsAnswered = new AtomicInteger();
        volatile boolean epochFails;
        volatile Runnable onSettle = () -> {};

        @Override
        public List<Verdict> apply(List<? extends Command> commands) {
            calls.incrementAndGet();
            if (commands.get(0) instanceof Command.Settle settle
                    && (settle.result() == null || !settle.result().text().equals("warm"))) {
                onSettle.run();
            }
            return memory.apply(commands);
        }

        @Override
        public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
            calls.incrementAndGet();
            return memory.read(refs);
        }

        @Override
        public SweepReport sweep(int limit) {
            return memory.sweep(limit);
        }

        @Override
        public long current() {
            epochsAsked.incrementAndGet();
            if (epochFails) {
                throw new StoreException(StoreException.Kind.UNREACHABLE, "down");
            }
            long epoch = memory.current();
            epochsAnswered.incrementAndGet();
            return epoch;
        }

        @Override
        public long advance() {
            return memory.advance();
        }
    }
}
