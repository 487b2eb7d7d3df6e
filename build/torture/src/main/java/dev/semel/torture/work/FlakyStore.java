// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** The faults of a network, for a store in memory: calls that do not arrive, answers that are lost or late. */
final class FlakyStore implements ClaimStore, CacheEpoch {
    private static final int PER_MILLE = 8;
    private static final int LATEST_MILLIS = 1_500;

    private final ClaimStore store;
    private final CacheEpoch epochs;
    private volatile boolean healed;

    FlakyStore(ClaimStore store, CacheEpoch epochs) {
        this.store = store;
        this.epochs = epochs;
    }

    void heal() {
        healed = true;
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        return through(() -> store.apply(commands));
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        return through(() -> store.read(refs));
    }

    @Override
    public boolean commitsInsertsApart() {
        return store.commitsInsertsApart();
    }

    @Override
    public SweepReport sweep(int limit) {
        return through(() -> store.sweep(limit));
    }

    @Override
    public long current() {
        return epochs.current();
    }

    @Override
    public long advance() {
        return epochs.advance();
    }

    private <R> R through(Supplier<R> call) {
        int dice = healed ? Integer.MAX_VALUE : ThreadLocalRandom.current().nextInt(1_000);
        if (dice < PER_MILLE) {
            throw lost();
        }
        if (dice < 2 * PER_MILLE) {
            delay();
            throw lost();
        }
        if (dice < 3 * PER_MILLE) {
            delay();
        }
        R answer = call.get();
        if (dice >= 3 * PER_MILLE && dice < 4 * PER_MILLE) {
            throw lost();
        }
        if (dice >= 4 * PER_MILLE && dice < 5 * PER_MILLE) {
            delay();
        }
        return answer;
    }

    /** Half of them as a driver's defect would be. */
    private static RuntimeException lost() {
        if (ThreadLocalRandom.current().nextBoolean()) {
            return new IllegalStateException("an unannounced failure");
        }
        return new StoreException(StoreException.Kind.UNREACHABLE, "the answer is lost", new IllegalStateException());
    }

    private static void delay() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(LATEST_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
