// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import java.util.List;
import java.util.function.Function;

/** Makes a page out of one row more than was asked for. */
final class Pages {
    private Pages() {}

    static void check(int limit) {
        if (limit < 1 || limit > Page.MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to %d, but is %d".formatted(Page.MAX_LIMIT, limit));
        }
    }

    static <S, T> Page<T> of(List<Placed<S>> rows, Position from, int limit, Function<S, T> shown) {
        boolean more = rows.size() > limit;
        List<Placed<S>> items = more ? rows.subList(0, limit) : rows;
        Position last = items.isEmpty() ? from : items.get(items.size() - 1).position();
        return new Page<>(items.stream().map(item -> shown.apply(item.record())).toList(), last.cursor(), more);
    }
}
