// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {
    @Test
    void isSha256OverLengthPrefixedFields() {
        // printf '\0\0\0\2ab\0\0\0\1c' | sha256sum
        assertThat(Fingerprint.of("ab", "c").hex())
                .isEqualTo("f2939f903016e5bb29b1e4a61cdbd376220ca03a24180b39995f2d50f2e0a647");
    }

    @Test
    void keepsTheBoundariesOfItsFields() {
        assertThat(Fingerprint.of("ab", "c"))
                .isNotEqualTo(Fingerprint.of("a", "bc"))
                .isNotEqualTo(Fingerprint.of("abc"))
                .isNotEqualTo(Fingerprint.of("ab", "c", ""))
                .isNotEqualTo(Fingerprint.of("c", "ab"));
    }

    @Test
    void readsTextAsUtf8() {
        assertThat(Fingerprint.of("caf\u00e9")).isEqualTo(Fingerprint.of("caf\u00e9".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void matchesItselfAndNothingElse() {
        Fingerprint one = Fingerprint.of("one");

        assertThat(one.matches(Fingerprint.of("one"))).isTrue();
        assertThat(one.matches(Fingerprint.of("two"))).isFalse();
    }

    @Test
    void noneMatchesEverythingFromBothSides() {
        Fingerprint one = Fingerprint.of("one");

        assertThat(Fingerprint.NONE.matches(one)).isTrue();
        assertThat(one.matches(Fingerprint.NONE)).isTrue();
        assertThat(Fingerprint.NONE.matches(Fingerprint.NONE)).isTrue();
    }

    @Test
    void showsItsFirstSixteenDigitsOrThatThereIsNone() {
        assertThat(Fingerprint.of("one").toString())
                .hasSize(16)
                .isEqualTo(Fingerprint.of("one").hex().substring(0, 16));
        assertThat(Fingerprint.NONE).hasToString("none");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4_095, 4_096})
    void carriesASketchOfUpTo4096Bytes(int size) {
        byte[] sketch = new byte[size];
        Arrays.fill(sketch, (byte) 7);

        assertThat(Fingerprint.of("one").withSketch(sketch).sketch()).isEqualTo(sketch);
    }

    @Test
    void refusesALargerSketch() {
        assertThatThrownBy(() -> Fingerprint.NONE.withSketch(new byte[4_097]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A sketch must have at most 4096 bytes, but has 4097");
    }

    @Test
    void hasNoSketchUnlessGivenOneAndLosesItForNone() {
        assertThat(Fingerprint.of("one").sketch()).isEmpty();
        assertThat(Fingerprint.of("one")
                        .withSketch(new byte[] {1})
                        .withSketch(new byte[0])
                        .sketch())
                .isEmpty();
    }

    @Test
    void copiesItsSketchOnTheWayInAndOut() {
        byte[] given = {1, 2};
        Fingerprint sketched = Fingerprint.of("one").withSketch(given);

        given[0] = 9;
        sketched.sketch()[1] = 9;

        assertThat(sketched.sketch()).containsExactly(1, 2);
    }

    @Test
    void isComparedAndShownWithoutItsSketch() {
        Fingerprint plain = Fingerprint.of("one");
        Fingerprint sketched = plain.withSketch(new byte[] {1});

        assertThat(sketched).isEqualTo(plain).hasSameHashCodeAs(plain).hasToString(plain.toString());
        assertThat(sketched.withSketch(new byte[] {2})).isEqualTo(sketched);
        assertThat(sketched.matches(plain)).isTrue();
        assertThat(sketched.matches(Fingerprint.of("two").withSketch(new byte[] {1})))
                .isFalse();
        assertThat(Fingerprint.NONE.withSketch(new byte[] {1})).hasToString("none");
    }
}
