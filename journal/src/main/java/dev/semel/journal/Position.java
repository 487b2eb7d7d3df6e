// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a record stands in the order of writing.
 *
 * @param write orders writes, where they have numbers (PostgreSQL); otherwise zero
 * @param number orders records
 */
record Position(long write, long number) {
    static final Position START = new Position(0, 0);

    private static final Pattern CURSOR = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

    static Position ofCursor(@Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) {
            return START;
        }
        Matcher matcher = CURSOR.matcher(cursor);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("after must be a cursor that an earlier page gave");
        }
        return new Position(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    String cursor() {
        return write + "-" + number;
    }
}
