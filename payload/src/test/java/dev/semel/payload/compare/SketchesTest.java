// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import static dev.semel.payload.compare.Change.Kind.ADDED;
import static dev.semel.payload.compare.Change.Kind.CHANGED;
import static dev.semel.payload.compare.Change.Kind.REMOVED;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.RandomJson;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SketchesTest {
    private static final Secret OLD = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Secret NEW = Secret.of("fedcba9876543210fedcba9876543210");
    private static final ClaimRef CLAIM = new ClaimRef("acme", new Digest(new byte[32]));
    private static final Sketches SKETCHES = by(Secrets.of(OLD));

    @Test
    void reportAddedRemovedAndChangedLeaves() {
        Difference difference = difference(
                "{\"amount\":5,\"note\":\"x\",\"lines\":[1,2],\"same\":{\"a\":1},\"a/b\":{\"m~n\":1}}",
                "{\"amount\":6,\"lines\":[1,2,3],\"same\":{\"a\":1.0},\"new\":{\"b\":null},\"a/b\":{\"m~n\":2}}");

        assertThat(difference.changes())
                .containsExactly(
                        new Change(CHANGED, "/amount"),
                        new Change(CHANGED, "/a~1b/m~0n"),
                        new Change(ADDED, "/lines/2"),
                        new Change(ADDED, "/new/b"),
                        new Change(REMOVED, "/note"));
        assertThat(difference.complete()).isTrue();
    }

    @Test
    void distinguishEmptyContainersAndTypes() {
        assertThat(difference("{\"a\":[]}", "{\"a\":{}}").changes()).containsExactly(new Change(CHANGED, "/a"));
        assertThat(difference("{\"a\":1}", "{\"a\":\"1\"}").changes()).containsExactly(new Change(CHANGED, "/a"));
        assertThat(difference("{\"a\":{\"b\":1}}", "{\"a\":1}").changes())
                .containsExactly(new Change(ADDED, "/a"), new Change(REMOVED, "/a/b"));
        assertThat(difference("1", "2").changes()).containsExactly(new Change(CHANGED, ""));
    }

    @Test
    void reportNoDifferenceOfEqualDocuments() {
        long seed = 4;
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Json json = RandomJson.document(random);
            Json other = RandomJson.document(random);
            byte[] sketch = SKETCHES.sketch(CLAIM, json);

            assertThat(SKETCHES.explain(CLAIM, sketch, Json.parse(json.canonical())))
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(new Difference(List.of(), true));
            assertThat(SKETCHES.explain(CLAIM, sketch, other).changes().isEmpty())
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(json.equals(other));
            assertThat(Difference.between(json, other, SketchLimits.DEFAULT)
                            .changes()
                            .isEmpty())
                    .as("seed %d, document %d", seed, i)
                    .isEqualTo(json.equals(other));
        }
    }

    @Test
    void holdNoValues() {
        byte[] sketch = SKETCHES.sketch(CLAIM, json("{\"a\":\"hunter2\",\"+41791234567\":4711471147}"));

        assertThat(new String(sketch, ISO_8859_1))
                .contains("/a", "/+********567")
                .doesNotContain("hunter2", "47114711", "41791234567");
    }

    /** Two places with the same masked pointer are shown as one place. Swapped values are still a difference. */
    @Test
    void detectChangesBehindMaskedNames() {
        String text = "{\"+41791234567\":1,\"+41781234567\":2}";
        Change masked = new Change(CHANGED, "/+********567");

        assertThat(difference(text, text).changes()).isEmpty();
        assertThat(difference(text, "{\"+41791234567\":2,\"+41781234567\":1}").changes())
                .containsExactly(masked);
        assertThat(difference("{\"+41791234567\":1}", "{\"+41781234567\":1}").changes())
                .containsExactly(masked);
        assertThat(Difference.between(json(text), json("{\"+41781234567\":2,\"+41791234567\":3}"), SketchLimits.DEFAULT)
                        .changes())
                .containsExactly(masked);
    }

    @Test
    void maskPhonesInMemberNames() {
        String before =
                "{\"phones\":{\"16505551234\":{\"kind\":1}},\"to\":[{\"16505551234\":1}],\"order\":{\"16505551234\":1}}";
        String now =
                "{\"phones\":{\"16505551234\":{\"kind\":2}},\"to\":[{\"16505551234\":2}],\"order\":{\"16505551234\":2}}";
        Change[] shown = {
            new Change(CHANGED, "/order/16505551234"),
            new Change(CHANGED, "/phones/********234/kind"),
            new Change(CHANGED, "/to/0/********234")
        };

        assertThat(difference(before, now).changes()).containsExactly(shown);
        assertThat(Difference.between(json(before), json(now), SketchLimits.DEFAULT)
                        .changes())
                .containsExactly(shown);
    }

    @Test
    void differByClaimTenantAndSecret() {
        Json json = json("{\"a\":1}");
        byte[] sketch = SKETCHES.sketch(CLAIM, json);
        byte[] digest = new byte[32];
        digest[0] = 1;

        assertThat(SKETCHES.sketch(CLAIM, json)).isEqualTo(sketch);
        assertThat(SKETCHES.sketch(new ClaimRef("acme", new Digest(digest)), json))
                .isNotEqualTo(sketch);
        assertThat(SKETCHES.sketch(new ClaimRef("other", CLAIM.digest()), json)).isNotEqualTo(sketch);
        assertThat(by(Secrets.of(NEW)).sketch(CLAIM, json)).isNotEqualTo(sketch);
    }

    @Test
    void surviveRotationWhileTheSecretIsActive() {
        byte[] sketch = SKETCHES.sketch(CLAIM, json("{\"a\":1}"));

        assertThat(by(Secrets.of(NEW, OLD))
                        .explain(CLAIM, sketch, json("{\"a\":2}"))
                        .changes())
                .containsExactly(new Change(CHANGED, "/a"));
        assertThat(by(Secrets.of(NEW)).explain(CLAIM, sketch, json("{\"a\":2}")))
                .isEqualTo(Difference.UNEXPLAINED);
    }

    @Test
    void canBeSwitchedOff() {
        byte[] nothing = Sketches.off().sketch(CLAIM, json("{\"a\":1}"));

        assertThat(nothing).isEmpty();
        assertThat(Sketches.off().explain(CLAIM, nothing, json("1"))).isEqualTo(Difference.UNEXPLAINED);
        assertThat(SKETCHES.explain(CLAIM, nothing, json("1"))).isEqualTo(Difference.UNEXPLAINED);
    }

    @Test
    void leaveVolatileMembersOut() {
        Sketches sketches = Sketches.by(Secrets.of(OLD), VolatileMembers.TIMESTAMPS, SketchLimits.DEFAULT);
        byte[] sketch = sketches.sketch(CLAIM, json("{\"ts\":1,\"a\":1}"));

        assertThat(sketches.explain(CLAIM, sketch, json("{\"ts\":2,\"a\":1}")).changes())
                .isEmpty();
    }

    @Test
    void areBoundedInLeavesAndBytes() {
        Json large = json(IntStream.range(0, 1_000)
                .mapToObj(i -> "\"%04d\":%d".formatted(i, i))
                .collect(Collectors.joining(",", "{", "}")));

        byte[] sketch = SKETCHES.sketch(CLAIM, large);
        assertThat(sketch.length).isEqualTo(12 + 256 * (2 + 5 + 8));
        Difference difference = SKETCHES.explain(CLAIM, sketch, json("{\"0000\":0,\"0001\":2}"));
        assertThat(difference.changes())
                .hasSize(20)
                .startsWith(new Change(CHANGED, "/0001"), new Change(REMOVED, "/0002"));
        assertThat(difference.complete()).isFalse();
        assertThat(difference)
                .asString()
                .contains("CHANGED /0001, REMOVED /0002")
                .endsWith(", and maybe more]");

        Sketches small = Sketches.by(Secrets.of(OLD), VolatileMembers.NONE, new SketchLimits(1_000, 100, 5));
        assertThat(small.sketch(CLAIM, large)).hasSizeLessThanOrEqualTo(100);
        assertThat(small.explain(CLAIM, small.sketch(CLAIM, json("{}")), large).changes())
                .hasSize(5);
    }

    /** A leaf that is not in an incomplete sketch may have existed, so it is not reported as added. */
    @Test
    void reportNoAddedLeavesIfTheSketchIsIncomplete() {
        Sketches one = Sketches.by(Secrets.of(OLD), VolatileMembers.NONE, new SketchLimits(1, 1_000, 5));
        byte[] sketch = one.sketch(CLAIM, json("{\"a\":1,\"b\":2}"));

        assertThat(one.explain(CLAIM, sketch, json("{\"a\":1,\"b\":3}"))).isEqualTo(Difference.UNEXPLAINED);
        assertThat(one.explain(CLAIM, sketch, json("{\"a\":2,\"b\":3}")).changes())
                .containsExactly(new Change(CHANGED, "/a"));
    }

    @Test
    void limitTheLengthOfPointers() {
        String name = "n".repeat(1_000);

        assertThat(difference(
                                "{\"x\":{\"%s\":{\"a\":1}}}".formatted(name),
                                "{\"x\":{\"%s\":{\"a\":2}}}".formatted(name))
                        .changes())
                .containsExactly(new Change(CHANGED, "/x"));
    }

    @Test
    void areUnexplainedWhenDamaged() {
        byte[] sketch = SKETCHES.sketch(CLAIM, json("{\"a\":1,\"b\":2}"));

        for (int length = 0; length < sketch.length; length++) {
            assertThat(SKETCHES.explain(CLAIM, Arrays.copyOf(sketch, length), json("{\"a\":2}")))
                    .isEqualTo(Difference.UNEXPLAINED);
        }
        assertThat(SKETCHES.explain(CLAIM, Arrays.copyOf(sketch, sketch.length + 1), json("{\"a\":2}")))
                .isEqualTo(Difference.UNEXPLAINED);
        sketch[0] = 2;
        assertThat(SKETCHES.explain(CLAIM, sketch, json("{\"a\":2}"))).isEqualTo(Difference.UNEXPLAINED);
    }

    @Test
    void compareTwoDocumentsWithoutASketch() {
        Difference difference = Difference.between(
                json("{\"amount\":5,\"note\":{\"x\":1},\"lines\":[1,2],\"t\":1}"),
                json("{\"amount\":5.0,\"lines\":[1,3,4],\"t\":{\"y\":1},\"u\":1}"),
                SketchLimits.DEFAULT);

        assertThat(difference.changes())
                .containsExactly(
                        new Change(CHANGED, "/lines/1"),
                        new Change(ADDED, "/lines/2"),
                        new Change(REMOVED, "/note"),
                        new Change(CHANGED, "/t"),
                        new Change(ADDED, "/u"));
        assertThat(difference.headerValue()).isEqualTo("/lines/1, /lines/2, /note, /t, /u");
        assertThat(difference.complete()).isTrue();
        assertThat(Difference.between(json("[1,1,1]"), json("[2,2,2]"), new SketchLimits(1, 12, 2)))
                .satisfies(cut -> assertThat(cut.changes()).hasSize(2))
                .satisfies(cut -> assertThat(cut.complete()).isFalse());
    }

    @Test
    void cannotBreakAHeader() {
        Difference difference =
                Difference.between(json("{}"), json("{\"a\\r\\nX: y, /z%\\u00e9\":1}"), SketchLimits.DEFAULT);

        assertThat(difference.headerValue()).isEqualTo("/a%0D%0AX:%20y%2C%20~1z%25%C3%A9");
        Json wide = json(IntStream.range(0, 20)
                .mapToObj(i -> "\"" + "n".repeat(200) + i + "\":1")
                .collect(Collectors.joining(",", "{", "}")));
        assertThat(Difference.between(json("{}"), wide, SketchLimits.DEFAULT).headerValue())
                .hasSizeLessThanOrEqualTo(1_024)
                .contains(", ");
    }

    @Test
    void haveLimitsThatAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SketchLimits(1, 11, 1))
                .withMessage("maxBytes must be 12 to 65535, but is 11");
    }

    private static Sketches by(Secrets secrets) {
        return Sketches.by(secrets, VolatileMembers.NONE, SketchLimits.DEFAULT);
    }

    private static Difference difference(String before, String now) {
        return SKETCHES.explain(CLAIM, SKETCHES.sketch(CLAIM, json(before)), json(now));
    }

    private static Json json(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }
}
