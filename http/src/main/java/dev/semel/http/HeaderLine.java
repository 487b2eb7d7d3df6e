// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One header line of an answer.
 *
 * @param name case-insensitive
 * @param value without line breaks
 */
public record HeaderLine(String name, String value) {
    public HeaderLine {
        Objects.requireNonNull(name, "A header's name must not be null");
        Objects.requireNonNull(value, "A header's value must not be null");
    }

    boolean isNamed(String other) {
        return name.equalsIgnoreCase(other);
    }

    /** The values of all lines of this name, in order. */
    static Stream<String> values(List<HeaderLine> lines, String name) {
        return lines.stream().filter(line -> line.isNamed(name)).map(HeaderLine::value);
    }
}
