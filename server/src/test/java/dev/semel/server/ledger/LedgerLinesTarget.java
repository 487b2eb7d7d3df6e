// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.server.config.Role;
import dev.semel.server.http.Identity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parses any bytes as a batch. The lines do not depend on how the bytes are split. Each line is an entry or a problem.
 *
 * <p>The first byte of an input is the maximum length of a line, the second the size of the pieces.
 */
public final class LedgerLinesTarget {
    private static final Identity IDENTITY = new Identity("acme", "tester", Role.CLIENT);

    /** Lines are only parsed, so no ledger is required. */
    private static final LedgerLines DEVELOPMENT = new LedgerLines(new LedgerEntries(false), null);

    private static final LedgerLines PRODUCTION = new LedgerLines(new LedgerEntries(true), null);

    private LedgerLinesTarget() {}

    public static void accept(byte[] input) {
        if (input.length < 2) {
            return;
        }
        int most = 1 + 16 * (input[0] & 0xff);
        int piece = 1 + (input[1] & 0xff);
        byte[] batch = Arrays.copyOfRange(input, 2, input.length);
        List<LineSplitter.Line> lines = split(batch, most, piece);
        assertThat(told(lines)).isEqualTo(expected(batch, most));
        lines.forEach(LedgerLinesTarget::read);
    }

    private static List<LineSplitter.Line> split(byte[] batch, int most, int piece) {
        LineSplitter splitter = new LineSplitter(most);
        List<LineSplitter.Line> lines = new ArrayList<>();
        for (int at = 0; at < batch.length; at += piece) {
            splitter.feed(Arrays.copyOfRange(batch, at, Math.min(batch.length, at + piece)), lines::add);
        }
        splitter.rest().ifPresent(lines::add);
        return lines;
    }

    private static List<String> told(List<LineSplitter.Line> lines) {
        return lines.stream()
                .map(line -> line.tooLong() ? "too long" : Arrays.toString(line.bytes()))
                .toList();
    }

    /** A simple reference implementation. */
    private static List<String> expected(byte[] batch, int most) {
        List<String> lines = new ArrayList<>();
        int start = 0;
        for (int end = 0; end <= batch.length; end++) {
            if (end == batch.length || batch[end] == '\n') {
                byte[] line = Arrays.copyOfRange(batch, start, end);
                if (line.length > most) {
                    lines.add("too long");
                } else {
                    byte[] bare = line.length > 0 && line[line.length - 1] == '\r'
                            ? Arrays.copyOf(line, line.length - 1)
                            : line;
                    if (bare.length > 0) {
                        lines.add(Arrays.toString(bare));
                    }
                }
                start = end + 1;
            }
        }
        return lines;
    }

    private static void read(LineSplitter.Line line) {
        for (LedgerLines reader : List.of(DEVELOPMENT, PRODUCTION)) {
            LedgerLines.Line read = reader.read(IDENTITY, line);
            assertThat(read.entry() == null).isNotEqualTo(read.problem() == null);
            if (read.problem() != null) {
                byte[] told = read.problem().json().utf8();
                assertThat(told).hasSizeLessThan(8_192);
                assertThat(Json.parse(told)).isEqualTo(read.problem().json());
                assertThat(read.problem().type().status()).isBetween(400, 499);
            } else if (reader == PRODUCTION) {
                assertThat(read.entry().orgId()).isEqualTo(IDENTITY.tenant());
            }
        }
    }
}
