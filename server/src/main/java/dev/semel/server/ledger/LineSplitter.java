// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Splits a stream of bytes into lines. The content of a line that is too long is discarded. */
final class LineSplitter {
    private final int maxBytes;
    private ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean tooLong;

    /** @param maxBytes maximum size of a line */
    LineSplitter(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A line without its terminator; empty lines are skipped. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Line(byte[] bytes, boolean tooLong) {}

    void feed(byte[] part, Consumer<Line> into) {
        int start = 0;
        for (int i = 0; i < part.length; i++) {
            if (part[i] == '\n') {
                if (line.size() == 0 && !tooLong && i - start <= maxBytes) {
                    // Most lines arrive in one piece.
                    whole(part, start, i).ifPresent(into);
                } else {
                    take(part, start, i);
                    rest().ifPresent(into);
                }
                start = i + 1;
            }
        }
        take(part, start, part.length);
    }

    private void take(byte[] part, int from, int to) {
        if (tooLong || line.size() + to - from > maxBytes) {
            tooLong = true;
            line = new ByteArrayOutputStream();
        } else {
            line.write(part, from, to - from);
        }
    }

    /** Returns the last line if it has no terminator and is not empty. */
    Optional<Line> rest() {
        byte[] bytes = line.toByteArray();
        boolean dropped = tooLong;
        line.reset();
        tooLong = false;
        return dropped ? Optional.of(new Line(new byte[0], true)) : whole(bytes, 0, bytes.length);
    }

    private static Optional<Line> whole(byte[] bytes, int from, int to) {
        int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
        return end == from ? Optional.empty() : Optional.of(new Line(Arrays.copyOfRange(bytes, from, end), false));
    }
}
