// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.ClaimStore;
import dev.semel.claim.Command;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A queue of commands with one batch on its way: while it is, the next collects. There is no timer and no added wait;
 * the busier the store, the larger the batches.
 *
 * <p>A batch holds at most one command a claim, and a claim's commands are all in one lane, so they keep their order.
 * Only a batch that gets no answer for a second is overtaken: renewals and settlements must not wait behind a silent
 * connection, and whatever it still does is decided by tokens.
 */
final class Lane {
    static final int LARGEST_BATCH = 256;
    private static final long STUCK_NANOS = 1_000_000_000L;

    private final ClaimStore store;
    private final Executor executor;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    private boolean running;

    /** Who may go on: a batch that was overtaken finds another number here when it comes back. */
    private int turn;

    private long batchStarted;

    Lane(ClaimStore store, Executor executor) {
        this.store = store;
        this.executor = executor;
    }

    /** Applies the command with the next batch; fails with whatever the store throws, or says of this command alone. */
    CompletableFuture<Verdict> submit(Command command) {
        Entry entry = new Entry(command, new CompletableFuture<>());
        int mine;
        synchronized (this) {
            waiting.add(entry);
            if (running && System.nanoTime() - batchStarted < STUCK_NANOS) {
                return entry.answer;
            }
            mine = take();
        }
        start(mine);
        return entry.answer;
    }

    /** Makes the caller the one who runs the lane. */
    private int take() {
        running = true;
        batchStarted = System.nanoTime();
        return ++turn;
    }

    private void start(int mine) {
        try {
            executor.execute(() -> drain(mine));
        } catch (RejectedExecutionException closed) {
            List<Entry> stranded;
            synchronized (this) {
                stranded = new ArrayList<>(waiting);
                waiting.clear();
                running = false;
            }
            StoreException failure = new StoreException(Kind.UNREACHABLE, "Semel is closed", closed);
            stranded.forEach(entry -> entry.answer.completeExceptionally(failure));
        }
    }

    private void drain(int mine) {
        for (List<Entry> batch = next(mine); !batch.isEmpty(); batch = next(mine)) {
            apply(batch);
        }
    }

    /** The next batch; an empty one says that the lane is idle from now on, or that somebody else runs it. */
    private synchronized List<Entry> next(int mine) {
        if (turn != mine) {
            return List.of();
        }
        List<Entry> batch = new ArrayList<>(Math.min(waiting.size(), LARGEST_BATCH));
        Set<ClaimRef> taken = new HashSet<>();
        Iterator<Entry> queue = waiting.iterator();
        while (queue.hasNext() && batch.size() < LARGEST_BATCH) {
            Entry entry = queue.next();
            if (taken.add(entry.command.ref())) {
                batch.add(entry);
                queue.remove();
            }
        }
        running = !batch.isEmpty();
        batchStarted = System.nanoTime();
        return batch;
    }

    private void apply(List<Entry> batch) {
        List<Command> commands = new ArrayList<>(batch.size());
        batch.forEach(entry -> commands.add(entry.command));
        try {
            List<Verdict> verdicts = store.apply(commands);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer(verdicts.get(i));
            }
        } catch (RuntimeException | Error e) {
            batch.forEach(entry -> entry.answer.completeExceptionally(e));
        }
    }

    private record Entry(Command command, CompletableFuture<Verdict> answer) {
        void answer(Verdict verdict) {
            if (verdict instanceof Verdict.Errored errored) {
                answer.completeExceptionally(errored.cause());
            } else {
                answer.complete(verdict);
            }
        }
    }
}
