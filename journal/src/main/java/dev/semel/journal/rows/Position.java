// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A row's position in the order of writing.
 *
 * @param write the number of the write, on databases that number writes (PostgreSQL); otherwise zero
 * @param number orders the rows of one write, or all rows if writes have no number
 */
public record Position(long write, long number) {
    static final Position START = new Position(0, 0);

    private static final Pattern CURSOR = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

    /** @throws IllegalArgumentException if the text is not a cursor */
    public static Position ofCursor(@Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) {
            return START;
        }
        Matcher matcher = CURSOR.matcher(cursor);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("after must be the cursor of an earlier page");
        }
        return new Position(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    public String cursor() {
        return write + "-" + number;
    }
}
