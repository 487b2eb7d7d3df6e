// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryRecorderTest {
    private static final KeyDigests DIGESTS = new KeyDigests(Secret.of("the secret of this test, for tests only"));
    private static final ClaimRef ONE = new ClaimRef("acme", Digest.ofHex("1".repeat(64)));
    private static final ClaimRef OTHER = new ClaimRef("acme", Digest.ofHex("2".repeat(64)));

    private final MemoryClaimStore store = new MemoryClaimStore();
    private final AtomicLong nanos = new AtomicLong();
    private final HistoryRecorder recorder = new HistoryRecorder(store, Duration.ofHours(1), nanos::get);

    @AfterEach
    void close() {
        recorder.close();
    }

    private void conflict(ClaimRef ref) {
        recorder.onClaim(new ClaimEvent(ClaimEvent.Kind.MISMATCH, ref, "pay", 1, null));
    }

    private int recorded(ClaimRef ref) {
        recorder.flush();
        recorder.flush();
        return store.history(ref, 1_000).size();
    }

    @Test
    void conflictsAreLimitedForEachClaimAlsoOverManyWrites() {
        for (int second = 0; second < 50; second++) {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            conflict(ONE);
            recorder.flush();
        }
        conflict(OTHER);

        assertThat(recorded(ONE)).isEqualTo(HistoryRecorder.MAX_CONFLICTS);
        assertThat(recorded(OTHER)).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        conflict(ONE);
        assertThat(recorded(ONE)).as("a minute later").isEqualTo(HistoryRecorder.MAX_CONFLICTS + 1);
    }

    @Test
    void theDifferenceBelongsToTheLastConflictOfItsClaim() {
        conflict(ONE);
        conflict(OTHER);
        recorder.differs(ONE, "/amount, /currency");
        recorder.differs(OTHER, "");
        recorder.flush();
        recorder.flush();

        assertThat(store.history(ONE, 10)).extracting(HistoryEntry::details).containsExactly("/amount, /currency");
        assertThat(store.history(OTHER, 10)).extracting(HistoryEntry::details).containsOnlyNulls();
    }

    /** The conflict is reported first, and the difference by the caller that compares the two requests. */
    @Test
    void theDifferenceOfAConflictIsRecordedAlsoIfAWriteComesBetweenThem() {
        conflict(ONE);
        recorder.flush();
        recorder.differs(ONE, "/amount");
        recorder.flush();

        assertThat(store.history(ONE, 10)).extracting(HistoryEntry::details).containsExactly("/amount");
    }

    /** One transaction for all of them would hold the locks of thousands of rows. */
    @Test
    void manyReplaysAreWrittenInBatches() {
        List<ClaimRef> refs = IntStream.rangeClosed(0, 2 * HistoryStore.MAX_ENTRIES)
                .mapToObj(i -> DIGESTS.refOf(ClaimMode.LEASED, new ClaimKey("acme", "pay", "order-" + i)))
                .toList();
        try (recorder) {
            refs.forEach(ref -> recorder.onClaim(new ClaimEvent(ClaimEvent.Kind.REPLAYED, ref, "pay", 1, null)));
        }

        assertThat(refs).allSatisfy(ref -> assertThat(store.replays(ref)).isEqualTo(1));
    }
}
