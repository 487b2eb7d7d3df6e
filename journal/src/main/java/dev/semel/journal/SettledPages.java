// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes pages. A client that reads what it has just written should find it: if rows are there but other writers have not
 * finished, so that the rows are not settled, the page is read again a few times.
 */
final class SettledPages {
    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 80;

    private final Reading reading;

    SettledPages(Reading reading) {
        this.reading = reading;
    }

    /** @throws IllegalArgumentException if it is no cursor, or a bound is out of range */
    <S, T> CompletionStage<Page<T>> read(
            @Nullable String after, int limit, int maxBytes, SliceRead<S> read, Function<S, T> shown) {
        PageBounds bounds = new PageBounds(limit, maxBytes);
        Position from = Position.ofCursor(after);
        Reading.Read<Slice<S>> slice = (reads, connection) -> read.read(reads, connection, from, bounds);
        return settled(slice, FIRST_PAUSE_MILLIS).thenApply(found -> page(found, from, shown));
    }

    private <S> CompletionStage<Slice<S>> settled(Reading.Read<Slice<S>> read, long pause) {
        return reading.run(read)
                .thenCompose(slice -> slice.unsettled() && pause <= LONGEST_PAUSE_MILLIS
                        ? reading.pause(pause).thenCompose(rested -> settled(read, pause * 2))
                        : CompletableFuture.completedFuture(slice));
    }

    private static <S, T> Page<T> page(Slice<S> slice, Position from, Function<S, T> shown) {
        List<Placed<S>> rows = slice.rows();
        Position last = rows.isEmpty() ? from : rows.get(rows.size() - 1).position();
        return new Page<>(
                rows.stream().map(item -> shown.apply(item.record())).toList(),
                last.cursor(),
                slice.more(),
                slice.unsettled());
    }

    /** Reads rows after a position. */
    interface SliceRead<S> {
        Slice<S> read(Reads reads, Connection connection, Position after, PageBounds bounds) throws SQLException;
    }
}
