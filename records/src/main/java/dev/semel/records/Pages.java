// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a page out of one row more than was asked for. Whoever reads what it has just written should find it: where rows
 * are there but not settled yet, because other writers are at it, the page is read again a few times.
 */
final class Pages {
    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 80;

    private final Reading reading;

    Pages(Reading reading) {
        this.reading = reading;
    }

    <S, T> CompletionStage<Page<T>> read(@Nullable String after, int limit, SliceRead<S> read, Function<S, T> shown) {
        if (limit < 1 || limit > Page.MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to %d, but is %d".formatted(Page.MAX_LIMIT, limit));
        }
        Position from = Position.ofCursor(after);
        Reading.Read<Slice<S>> slice = (reads, connection) -> read.read(reads, connection, from, limit + 1);
        return settled(slice, FIRST_PAUSE_MILLIS).thenApply(found -> page(found, from, limit, shown));
    }

    private <S> CompletionStage<Slice<S>> settled(Reading.Read<Slice<S>> read, long pause) {
        return reading.run(read)
                .thenCompose(slice -> slice.unsettled() && pause <= LONGEST_PAUSE_MILLIS
                        ? reading.pause(pause).thenCompose(rested -> settled(read, pause * 2))
                        : CompletableFuture.completedFuture(slice));
    }

    private static <S, T> Page<T> page(Slice<S> slice, Position from, int limit, Function<S, T> shown) {
        List<Placed<S>> rows = slice.rows();
        boolean more = rows.size() > limit;
        List<Placed<S>> items = more ? rows.subList(0, limit) : rows;
        Position last = items.isEmpty() ? from : items.get(items.size() - 1).position();
        return new Page<>(
                items.stream().map(item -> shown.apply(item.record())).toList(),
                last.cursor(),
                more,
                slice.unsettled());
    }

    /** Reads rows after a position. */
    interface SliceRead<S> {
        Slice<S> read(Reads reads, Connection connection, Position after, int limit) throws SQLException;
    }
}
