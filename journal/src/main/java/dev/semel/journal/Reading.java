// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads elsewhere than on the caller's thread. */
final class Reading {
    private final Reads reads;
    private final Connections connections;
    private final JournalThreads threads;

    Reading(Reads reads, Connections connections, JournalThreads threads) {
        this.reads = reads;
        this.connections = connections;
        this.threads = threads;
    }

    /** Fails with a {@link dev.semel.claim.StoreException} only, and in a bounded time. */
    <R> CompletionStage<R> run(Read<R> read) {
        return threads.read(() -> connections.run(connection -> read.read(reads, connection)));
    }

    /** See {@link JournalThreads#tracked}. */
    <R> CompletableFuture<R> tracked(CompletableFuture<R> answer) {
        return threads.tracked(answer);
    }

    /** Completes after a while. */
    CompletionStage<Boolean> pause(long millis) {
        return threads.pause(millis);
    }

    /** What is read. */
    interface Read<R> {
        R read(Reads reads, Connection connection) throws SQLException;
    }
}
