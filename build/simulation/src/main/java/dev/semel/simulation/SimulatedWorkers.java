// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.lane.Environment;
import dev.semel.lane.Workers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store threads of a simulated process. A thread is busy until the store has answered its call. */
final class SimulatedWorkers extends Workers {
    private static final long MAX_START_NANOS = 50_000;

    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private final SharedStore store;
    private final Dice dice;
    private final int size;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int busy;
    private @Nullable BusyThread current;

    SimulatedWorkers(
            Environment environment,
            Scheduler scheduler,
            SimulatedProcess process,
            SharedStore store,
            Dice dice,
            int size) {
        super(environment);
        this.scheduler = scheduler;
        this.process = process;
        this.store = store;
        this.dice = dice;
        this.size = size;
    }

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
        startNext();
    }

    private void startNext() {
        while (busy < size && !waiting.isEmpty()) {
            busy++;
            Runnable task = waiting.remove();
            scheduler.after(dice.between(0, MAX_START_NANOS), process, () -> on(new BusyThread(), task));
        }
    }

    /** Runs something on a thread, which is free afterwards unless it has made a call. */
    private void on(BusyThread thread, Runnable work) {
        current = thread;
        try {
            work.run();
        } finally {
            current = null;
        }
        if (thread.calls == 0) {
            busy--;
            startNext();
        }
    }

    /** Makes a call to the store on the current thread. */
    <R> CompletableFuture<R> makeCall(Supplier<R> work) {
        BusyThread thread = Objects.requireNonNull(current, "Only a worker calls the store");
        thread.calls++;
        CompletableFuture<R> answer = new CompletableFuture<>();
        store.call(
                process,
                work,
                value -> on(thread, () -> {
                    thread.calls--;
                    answer.complete(value);
                }),
                failure -> on(thread, () -> {
                    thread.calls--;
                    answer.completeExceptionally(failure);
                }));
        return answer;
    }

    @Override
    protected void withdraw(Runnable task) {
        waiting.remove(task);
    }

    @Override
    public int waiting() {
        return waiting.size();
    }

    @Override
    public void shutdown() {
        throw new UnsupportedOperationException("A simulated process crashes; it never closes");
    }

    @Override
    public boolean end(Duration bound) {
        throw new UnsupportedOperationException("A simulated process crashes; it never closes");
    }

    /** A thread that runs a task or waits for the store. */
    private static final class BusyThread {
        private int calls;
    }
}
