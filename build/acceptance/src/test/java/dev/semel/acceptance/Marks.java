// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
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
    /** The length of the shortest text that can be remembered, and of the beginnings by which they are found. */
    private static final int BEGINNING = Long.BYTES;

    /** By their beginnings, because comparing every line with every text takes minutes. */
    private static final Map<Long, Set<String>> REMEMBERED = new ConcurrentHashMap<>();

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
        if (text.length() < BEGINNING) {
            throw new IllegalArgumentException("The text is so short that a log may contain it by chance");
        }
        String written = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        long beginning = 0;
        for (int i = 0; i < BEGINNING; i++) {
            beginning = with(beginning, written.charAt(i));
        }
        REMEMBERED
                .computeIfAbsent(beginning, first -> ConcurrentHashMap.newKeySet())
                .add(written);
        return text;
    }

    /**
     * The first line of the output that shows private data.
     *
     * @param output its bytes, each as one character (ISO 8859-1)
     */
    static Optional<String> leakIn(String output) {
        int marked = output.indexOf(SENTINEL);
        int found = remembered(marked < 0 ? output : output.substring(0, marked));
        int leak = found < 0 ? marked : found;
        return leak < 0 ? Optional.empty() : Optional.of(lineAt(output, leak));
    }

    /** Where the first remembered text is; -1 if there is none. */
    private static int remembered(String output) {
        long last = 0;
        for (int i = 0; i < output.length(); i++) {
            last = with(last, output.charAt(i));
            int from = i + 1 - BEGINNING;
            for (String text : REMEMBERED.getOrDefault(last, Set.of())) {
                if (from >= 0 && output.startsWith(text, from)) {
                    return from;
                }
            }
        }
        return -1;
    }

    /** The last eight characters, after one more. */
    private static long with(long before, char next) {
        return before << Byte.SIZE | next;
    }

    private static String lineAt(String output, int position) {
        int end = output.indexOf('\n', position);
        return output.substring(output.lastIndexOf('\n', position) + 1, end < 0 ? output.length() : end);
    }
}
