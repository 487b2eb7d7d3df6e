// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.Database;
import dev.semel.replay.EpochGuardedCache;
import dev.semel.replay.ReplayCache;
import dev.semel.spi.CacheEpoch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One database: its dialect, its connections, and the threads that make the blocking calls. */
public final class JournalDatabase implements AutoCloseable {
    private final DataSource dataSource;
    private final Database kind;
    private final JournalDialect dialect;
    private final Connections connections;
    private final JournalThreads threads;
    private final Duration maxWait;
    private final List<Runnable> closing = new CopyOnWriteArrayList<>();

    /** @param maxWait how long an operation is retried, and how long a caller waits for a read */
    public JournalDatabase(DataSource dataSource, int threads, Duration statementTimeout, Duration maxWait) {
        this.dataSource = dataSource;
        this.kind = Database.of(dataSource);
        this.dialect = JournalDialect.of(kind, statementTimeout);
        this.connections = new Connections(dataSource, kind.hasNetwork(), statementTimeout);
        this.maxWait = maxWait;
        connections.run(connection -> {
            dialect.prepare(connection);
            return dialect;
        });
        this.threads = new JournalThreads(threads, maxWait);
    }

    public DataSource dataSource() {
        return dataSource;
    }

    public Database kind() {
        return kind;
    }

    public JournalDialect dialect() {
        return dialect;
    }

    public Duration maxWait() {
        return maxWait;
    }

    /** Runs a short statement on a reader's thread. Fails only with a {@link StoreException}, and in a bounded time. */
    public <R> CompletionStage<R> read(Connections.Work<R> work) {
        return threads.read(() -> connections.run(work));
    }

    /** Completes with true after this time. Fails as soon as the database is closed. */
    public CompletionStage<Boolean> pause(long millis) {
        return threads.pause(millis);
    }

    /** The same future, which fails at the latest when the database is closed. */
    public <R> CompletableFuture<R> untilClosed(CompletableFuture<R> answer) {
        return threads.deadlines().untilClosed(answer);
    }

    /** Repeats a task that does not block, beginning after {@code firstMillis}, until the database is closed. */
    public void repeat(Runnable task, long firstMillis, long intervalMillis) {
        threads.repeat(task, firstMillis, intervalMillis);
    }

    /**
     * Group commit for one kind of row.
     *
     * @param id selects a row's entry in the map that {@code write} returns
     */
    public <E extends GroupRow, K, S> GroupedWrites<E, S> groupedWrites(Function<E, K> id, BatchWrite<E, K, S> write) {
        return new GroupedWrites<>(
                rows -> {
                    Map<K, S> stored = connections.run(connection -> write.write(connection, rows));
                    return rows.stream()
                            .map(row -> found(stored.get(id.apply(row))))
                            .toList();
                },
                dialect.lanes(),
                maxWait,
                threads);
    }

    /** A row that caused a conflict can be deleted before it is read. Another attempt then succeeds. */
    private static <S> S found(@Nullable S stored) {
        if (stored == null) {
            throw new StoreException(Kind.BUSY, "The existing row was deleted before it could be read");
        }
        return stored;
    }

    /** Reads the epoch in advance, so that the first result can be cached. */
    public EpochGuardedCache guarded(@Nullable ReplayCache cache, @Nullable CacheEpoch epochs) {
        EpochGuardedCache guarded = new EpochGuardedCache(cache, epochs, threads);
        guarded.epoch();
        return guarded;
    }

    /** The exception of a failed read. */
    public static StoreException failure(Throwable failure) {
        return JournalThreads.failure(failure);
    }

    /** Runs before the threads of this database end. */
    public void onClose(Runnable task) {
        closing.add(task);
    }

    @Override
    public void close() {
        closing.forEach(Runnable::run);
        threads.close();
    }

    /** Writes a batch and commits it. */
    public interface BatchWrite<E, K, S> {
        /** Writes the rows whose key is new. Returns what the database then holds for each row. */
        Map<K, S> write(Connection connection, List<E> rows) throws SQLException;
    }
}
