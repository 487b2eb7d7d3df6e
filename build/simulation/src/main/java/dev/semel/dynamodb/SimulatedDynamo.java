// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.NullMarked;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * The DynamoDB store with the time, the pauses and the client of a simulation, and without waiting. In this package, because it is
 * not API.
 */
@NullMarked
public final class SimulatedDynamo {
    private final DynamoClaimStore store;

    /**
     * @param nanoTime the process's monotonic clock
     * @param pauses begins a random pause of up to this many milliseconds
     * @param timeout the time limit of a request
     */
    public SimulatedDynamo(
            DynamoDbAsyncClient client,
            LongSupplier nanoTime,
            IntFunction<CompletableFuture<Void>> pauses,
            Duration timeout) {
        store = new DynamoClaimStore(new DynamoCalls(
                        client,
                        DynamoClaimStore.TABLE,
                        new DynamoClock(nanoTime),
                        pauses::apply,
                        Duration.ofSeconds(2)))
                .withRequestTimeout(timeout);
    }

    /** The store itself, whose methods wait. */
    public DynamoClaimStore store() {
        return store;
    }

    /** As {@link DynamoClaimStore#apply}. */
    public CompletableFuture<List<Verdict>> apply(List<? extends Command> commands) {
        return store.applying(commands);
    }

    /** As {@link DynamoClaimStore#read}. */
    public CompletableFuture<Map<ClaimRef, Snapshot>> read(Collection<ClaimRef> refs) {
        return store.reading(refs);
    }

    /** As {@link DynamoClaimStore#sweep}. */
    public CompletableFuture<SweepReport> sweep(int limit) {
        return store.sweeping(limit);
    }

    /** As {@link DynamoClaimStore#current}. */
    public CompletableFuture<Long> current() {
        return store.epochOfNow();
    }
}
