// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Everything private that the suite sends carries a mark, so that one search of a server's output says whether any of it
 * was logged. What cannot carry the mark (signatures, passwords that others drew) is remembered whole.
 */
final class Marks {
    static final String SENTINEL = "Prv8x";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Set<String> REMEMBERED = ConcurrentHashMap.newKeySet();

    private Marks() {}

    /** A text that occurs nowhere else and must reach no log. */
    static String text(String what) {
        return what + "-" + SENTINEL + unique();
    }

    /** A name that occurs nowhere else: a tenant, a scope. Logs may hold it. */
    static String name(String what) {
        return what + "-" + unique();
    }

    static String unique() {
        byte[] bytes = new byte[8];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** From now on this text, too, must reach no log. */
    static String keepOutOfLogs(String text) {
        if (text.length() < 8) {
            throw new IllegalArgumentException("A text this short may be in a log by chance");
        }
        REMEMBERED.add(text);
        return text;
    }

    /** A line of the output that shows something private, if there is one. */
    static Optional<String> leakIn(String output) {
        return output.lines().filter(Marks::isLeak).findFirst();
    }

    private static boolean isLeak(String line) {
        return line.contains(SENTINEL) || REMEMBERED.stream().anyMatch(line::contains);
    }
}
