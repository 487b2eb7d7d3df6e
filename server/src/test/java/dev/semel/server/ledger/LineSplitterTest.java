// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
    private static final int MAX = 100;

    private final LineSplitter splitter = new LineSplitter(MAX);
    private final List<String> lines = new ArrayList<>();

    @Test
    void linesDoNotDependOnThePiecesTheyArriveIn() {
        for (String part : List.of("a", "b\nc", "d\r", "\n\n\r\ne\n", "f")) {
            feed(part);
        }

        assertThat(lines).containsExactly("ab", "cd", "e");
        assertThat(splitter.rest().map(line -> new String(line.bytes(), UTF_8))).contains("f");
        assertThat(splitter.rest()).isEmpty();
    }

    @Test
    void theContentOfATooLongLineIsDiscarded() {
        feed("x".repeat(MAX));
        feed("x");
        feed("still the same line\nnext\n");

        assertThat(lines).containsExactly("too long", "next");
    }

    @Test
    void aLineThatIsTooLongMayLieInOnePiece() {
        feed("first\n" + "x".repeat(MAX + 1) + "\nnext\r\n");

        assertThat(lines).containsExactly("first", "too long", "next");
    }

    @Test
    void theLongestLineIsALine() {
        feed("x".repeat(MAX) + "\n");

        assertThat(lines).singleElement().satisfies(line -> assertThat(line).hasSize(MAX));
    }

    private void feed(String text) {
        splitter.feed(
                text.getBytes(UTF_8), line -> lines.add(line.tooLong() ? "too long" : new String(line.bytes(), UTF_8)));
    }
}
