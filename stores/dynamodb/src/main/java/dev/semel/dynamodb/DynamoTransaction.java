// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.OpenTransaction;
import dev.semel.spi.Verdict;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * A transaction that has written nothing yet. The claim's rows are read, and what they allow is remembered, together with the
 * settlement and the items of the work. One request then writes all of it, if the rows are still the same.
 */
final class DynamoTransaction implements OpenTransaction {
    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoCommands commands;
    private @Nullable DynamoGrant grant;
    private @Nullable DynamoRow acquired;
    private Command.@Nullable Settle settlement;
    private List<TransactWriteItem> items = List.of();
    private boolean taken;

    DynamoTransaction(DynamoCalls calls, DynamoReads reads, DynamoCommands commands) {
        this.calls = calls;
        this.reads = reads;
        this.commands = commands;
    }

    @Override
    public Optional<Verdict> acquire(Command command) {
        return Optional.of(DynamoFutures.await(commands.acquire(command, StoredResult.MAX_BYTES, this::granted)));
    }

    private CompletableFuture<Optional<Verdict>> granted(DynamoGrant allowed) {
        DynamoRow row = new DynamoRow(allowed.after().apply(calls.now()));
        grant = allowed;
        acquired = row;
        return CompletableFuture.completedFuture(Optional.of(reads.applied(row, null)));
    }

    /** Remembers the items of the work, and returns its result. */
    <T extends @Nullable Object> T take(TransactionItems<T> made) {
        made.requireOutside(calls.table());
        items = made.items();
        taken = true;
        return made.value();
    }

    @Override
    public void undoWork() {
        items = List.of();
    }

    /** @throws IllegalStateException if the work has neither returned items nor rejected the request */
    @Override
    public boolean settle(Command.Settle settled) {
        if (settled.status() == Status.SUCCEEDED && !taken) {
            throw new IllegalStateException(
                    "The work returned null instead of items, so nothing was written. Return TransactionItems.of(value) if there"
                            + " is nothing to write");
        }
        settlement = settled;
        return true;
    }

    /** Whether there is something to write. A duplicate writes nothing. */
    boolean isSettled() {
        return settlement != null;
    }

    DynamoGrant grant() {
        return Objects.requireNonNull(grant);
    }

    /** The claim's row as it would be while the work runs. It is never written so. */
    DynamoRow acquired() {
        return Objects.requireNonNull(acquired);
    }

    Command.Settle settlement() {
        return Objects.requireNonNull(settlement);
    }

    List<TransactWriteItem> items() {
        return items;
    }
}
