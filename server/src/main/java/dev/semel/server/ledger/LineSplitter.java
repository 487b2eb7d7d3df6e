// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Cuts bytes into lines, whichever pieces they come in. Of a line that is too long it keeps nothing but that it was. */
final class LineSplitter {
    private final int maxBytes;
    private ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean tooLong;

    /** @param maxBytes of a line */
    LineSplitter(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A line without its end; empty lines are left out. */
    @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
    record Line(byte[] bytes, boolean tooLong) {}

    void feed(byte[] part, Consumer<Line> into) {
        int start = 0;
        for (int i = 0; i < part.length; i++) {
            if (part[i] == '\n') {
                if (line.size() == 0 && !tooLong && i - start <= maxBytes) {
                    // Nearly every line lies in one piece.
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

    /** The line that has no end yet, if there is anything of it. */
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
