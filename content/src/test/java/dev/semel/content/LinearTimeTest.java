// SPDX-License-Identifier: Apache-2.0
package dev.semel.content;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonString;
import dev.semel.content.safe.AllowList;
import dev.semel.content.safe.FieldType;
import dev.semel.content.safe.Redaction;
import dev.semel.content.same.SketchLimits;
import dev.semel.content.same.Sketches;
import dev.semel.content.same.VolatileMembers;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A hostile megabyte costs less than 100 ms in everything that is done to it. The only test that looks at a clock: what
 * grew with the square would take minutes, so the bound is generous, and the best of several tries counts. Documents of
 * half a million values may take longer, because each value is an object.
 */
class LinearTimeTest {
    private static final Duration BOUND = Duration.ofMillis(100);
    private static final int TRIES = 12;
    private static final int MEGABYTE = 1_000_000;

    @ParameterizedTest
    @MethodSource
    void hostileStrings(String text) {
        byte[] document = new JsonString(text).utf8();

        assertThat(best(() -> {
                    Json json = Json.parse(document);
                    byte[] safe = Redaction.DEFAULT.redacted(json).utf8();
                    return safe.length + json.canonical().length;
                }))
                .isLessThan(BOUND);
        assertThat(best(() ->
                        Redaction.DEFAULT.sanitisedText(text).orElseThrow().length()))
                .isLessThan(BOUND);
    }

    static Stream<Named<String>> hostileStrings() {
        return Stream.of(
                filled("plus signs", "+"),
                filled("digits", "1"),
                filled("plus and seven digits", "+1234567"),
                filled("numbers", "+41791234567"),
                filled("separators", "+ ( "),
                filled("one digit, one space", "1 "),
                filled("quotes and backslashes", "\"\\"),
                filled("control characters", "\u0001"),
                filled("sensitive names", "token="),
                filled("sensitive names with colons", "password:"),
                filled("one long word", "a"),
                filled("emoji", "\ud83d\ude00"),
                Named.of("a plus sign and digits without end", "+" + "1".repeat(MEGABYTE)));
    }

    @ParameterizedTest
    @MethodSource
    void hostileDocuments(String text) {
        byte[] document = text.getBytes(UTF_8);
        ClaimRef claim = new ClaimRef("acme", new Digest(new byte[32]));
        Sketches sketches = Sketches.by(
                Secrets.of(Secret.of("0123456789abcdef0123456789abcdef")),
                VolatileMembers.TIMESTAMPS,
                SketchLimits.DEFAULT);
        AllowList list = AllowList.CUSTOMER_SAFE.allow("a", new FieldType.Primitives(1_000_000, 1_000));
        Json json = Json.parse(document);

        assertThat(best(() -> Json.parse(document).hashCode())).isLessThan(BOUND.multipliedBy(3));
        assertThat(best(() -> json.canonical().length)).isLessThan(BOUND.multipliedBy(3));
        assertThat(best(() -> Redaction.DEFAULT.redacted(json).utf8().length)).isLessThan(BOUND.multipliedBy(3));
        assertThat(best(() -> list.sanitised(json).hashCode())).isLessThan(BOUND.multipliedBy(3));
        byte[] sketch = sketches.sketch(claim, json);
        assertThat(best(() -> sketches.explain(claim, sketch, json).hashCode())).isLessThan(BOUND.multipliedBy(5));
    }

    static Stream<Named<String>> hostileDocuments() {
        return Stream.of(
                Named.of("many numbers", elements("1", 400_000)),
                Named.of("long numbers", elements("9".repeat(999), 1_000)),
                Named.of("large exponents", elements("1e9999", 140_000)),
                Named.of("names that are masked alike", members("+1%09d1234", 45_000)),
                Named.of("names with one hash code", collidingNames()),
                Named.of("deep and wide", "[".repeat(127) + elements("0", 400_000) + "]".repeat(127)),
                Named.of(
                        "a long name above many leaves",
                        "{\"" + "n".repeat(MEGABYTE / 2) + "\":" + elements("1", 200_000) + "}"));
    }

    private static Named<String> filled(String name, String part) {
        return Named.of(name, part.repeat(MEGABYTE / part.length()));
    }

    private static String elements(String element, int count) {
        return "[" + (element + ",").repeat(count - 1) + element + "]";
    }

    private static String members(String name, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + name.formatted(i) + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** "Aa" and "BB" have the same hash code, and so has everything that is put together of them. */
    private static String collidingNames() {
        return IntStream.range(0, 30_000)
                .mapToObj(i -> "\"%s\":1"
                        .formatted(Integer.toBinaryString(1 << 15 | i)
                                .replace("0", "Aa")
                                .replace("1", "BB")))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Duration best(Task task) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && best > BOUND.toNanos() / 2; i++) {
            long start = System.nanoTime();
            assertThat(task.run()).isNotEqualTo(Integer.MIN_VALUE);
            best = Math.min(best, System.nanoTime() - start);
        }
        return Duration.ofNanos(best);
    }

    private interface Task {
        int run();
    }
}
