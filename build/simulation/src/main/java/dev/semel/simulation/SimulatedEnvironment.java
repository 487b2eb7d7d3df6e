// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.lane.Environment;
import dev.semel.lane.Workers;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one simulated process sees of the world: its own clock, and threads and random numbers that the seed decides. */
final class SimulatedEnvironment implements Environment {
    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private final SharedStore store;
    private final Dice dice;
    private final long clockOffset;
    private long latest;
    private @Nullable SimulatedWorkers workers;

    /** @param clockOffset how far the process's clock is from the clock of the simulation, in nanoseconds */
    SimulatedEnvironment(
            Scheduler scheduler, SimulatedProcess process, SharedStore store, Dice dice, long clockOffset) {
        this.scheduler = scheduler;
        this.process = process;
        this.store = store;
        this.dice = dice;
        this.clockOffset = clockOffset;
        this.latest = clockOffset + scheduler.now() - 1;
    }

    /** Later with every call, so that no two deadlines are the same and their order can be repeated. */
    @Override
    public long nanoTime() {
        long now = clock();
        latest = now - latest > 0 ? now : latest + 1;
        return latest;
    }

    /** The time of the process's own clock, which stands still while its host is suspended. */
    long clock() {
        return clockOffset + process.awake();
    }

    @Override
    public long random(long from, long to) {
        return dice.between(from, to);
    }

    @Override
    public byte[] randomBytes(int length) {
        return dice.bytes(length);
    }

    @Override
    public ScheduledExecutorService timer(String name) {
        return new SimulatedTimer(scheduler, process);
    }

    @Override
    public Workers workers(String name, int size) {
        workers = new SimulatedWorkers(this, scheduler, process, store, dice.split(), size);
        return workers;
    }

    @Override
    public <R> CompletableFuture<R> call(Supplier<R> work) {
        return Objects.requireNonNull(workers, "An engine makes its workers first")
                .makeCall(work);
    }

    /** How many tasks wait for a store thread. */
    int waitingForThread() {
        return workers == null ? 0 : workers.waiting();
    }
}
