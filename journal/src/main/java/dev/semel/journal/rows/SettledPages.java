// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.journal.page.Page;
import dev.semel.journal.page.PageBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages. A client that reads what it has just written should find it. So an unsettled page, whose next rows wait for
 * another writer, is read again a few times.
 */
public final class SettledPages {
    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long MAX_PAUSE_MILLIS = 80;

    private final JournalDatabase database;

    public SettledPages(JournalDatabase database) {
        this.database = database;
    }

    /**
     * Reads the page after a cursor.
     *
     * @throws IllegalArgumentException if {@code after} is not a cursor, or a bound is out of range
     */
    public <S, T> CompletionStage<Page<T>> read(
            @Nullable String after, int limit, int maxBytes, PageQuery<S> query, Function<S, T> item) {
        PageBounds bounds = new PageBounds(limit, maxBytes);
        Position from = Position.ofCursor(after);
        return settled(query, from, bounds, FIRST_PAUSE_MILLIS).thenApply(found -> page(found, from, item));
    }

    /**
     * Finds where a page of the last rows begins.
     *
     * @param until the cursor of the last row; null or empty for the newest one
     * @param rows how many rows at most
     * @throws IllegalArgumentException if {@code until} is not a cursor, or the number is out of range
     */
    public CompletionStage<PageBack> back(@Nullable String until, int rows, StartQuery query) {
        PageBounds bounds = new PageBounds(rows, 1);
        Position end = until == null || until.isEmpty() ? null : Position.ofCursor(until);
        return database.read(connection -> query.read(connection, end, bounds.rows()));
    }

    private <S> CompletionStage<PageRows<S>> settled(
            PageQuery<S> query, Position from, PageBounds bounds, long pauseMillis) {
        return database.read(connection -> query.read(connection, from, bounds))
                .thenCompose(rows -> rows.unsettled() && pauseMillis <= MAX_PAUSE_MILLIS
                        ? database.pause(pauseMillis)
                                .thenCompose(paused -> settled(query, from, bounds, pauseMillis * 2))
                        : CompletableFuture.completedFuture(rows));
    }

    private static <S, T> Page<T> page(PageRows<S> found, Position from, Function<S, T> item) {
        List<PositionedRow<S>> rows = found.rows();
        Position last = rows.isEmpty() ? from : rows.get(rows.size() - 1).position();
        return new Page<>(
                rows.stream().map(row -> item.apply(row.row())).toList(),
                last.cursor(),
                found.more(),
                found.unsettled());
    }

    /** Finds where the last rows begin. See {@link PageStart}. */
    public interface StartQuery {
        PageBack read(Connection connection, @Nullable Position end, int rows) throws SQLException;
    }

    /** Reads rows after a position. */
    public interface PageQuery<S> {
        PageRows<S> read(Connection connection, Position after, PageBounds bounds) throws SQLException;
    }
}
