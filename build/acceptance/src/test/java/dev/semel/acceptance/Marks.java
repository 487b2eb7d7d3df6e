// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Marks in all private data that the suite sends, so that one search of a server's output tells whether any of it was logged.
 * Data that cannot carry the mark (signatures, generated passwords) is recorded as a whole.
 */
final class Marks {
    static final String SENTINEL = "Prv8x";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Set<String> REMEMBERED = ConcurrentHashMap.newKeySet();

    private Marks() {}

    /** A unique text that must not be logged. */
    static String text(String what) {
        return what + "-" + SENTINEL + unique();
    }

    /** A unique name, for example of a tenant or a scope. Logs may contain it. */
    static String name(String what) {
        return what + "-" + unique();
    }

    static String unique() {
        byte[] bytes = new byte[8];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** From now on this text must not be logged either. */
    static String keepOutOfLogs(String text) {
        if (text.length() < 8) {
            throw new IllegalArgumentException("The text is so short that a log may contain it by chance");
        }
        REMEMBERED.add(text);
        return text;
    }

    /** The first line of the output that shows private data. */
    static Optional<String> leakIn(String output) {
        return output.lines().filter(Marks::isLeak).findFirst();
    }

    private static boolean isLeak(String line) {
        return line.contains(SENTINEL) || REMEMBERED.stream().anyMatch(line::contains);
    }
}
