// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The end of a server's log, for the message of an exception. The log itself is deleted with the server. */
final class LogTail {

    private static final int CHARACTERS = 4_000;

    private LogTail() {}

    static String of(Path log) {
        try {
            // In this charset every byte is a character, so decoding cannot fail.
            String all = Files.readString(log, StandardCharsets.ISO_8859_1);
            return all.substring(Math.max(0, all.length() - CHARACTERS));
        } catch (IOException e) {
            return "no log, because of " + e;
        }
    }
}
