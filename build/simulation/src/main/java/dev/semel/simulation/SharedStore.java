// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one store of all processes, and what an operator does in it. */
interface SharedStore {
    /** The store as a process sees it. Call it by {@link #call} only. */
    ClaimStore connected(SimulatedProcess process);

    /** Lets a process call its store. Exactly one of the two consumers gets the answer, unless the process is gone by then. */
    <R> void call(SimulatedProcess process, Supplier<R> work, Consumer<R> answered, Consumer<Throwable> failed);

    /** How many events a process waits for at most because of the store. */
    long mostEvents();

    /** What an operator sees; null if there is nothing. */
    @Nullable
    Snapshot read(ClaimRef asked);

    /** What an operator may decide about; null if there is nothing. */
    @Nullable
    Snapshot seen(ClaimRef asked);

    /** Lets an operator settle a claim that nobody works on. */
    boolean decide(Command.Settle decision, HistoryEntry.Kind kind);

    /** Whether a claim was settled at least this long ago. */
    boolean hasEnded(ClaimRef ref, Duration ago);

    /** Makes a claim as old as if its answer had expired. */
    void forget(ClaimRef ref);

    /** Begins a new epoch of the caches. */
    void advance();
}
