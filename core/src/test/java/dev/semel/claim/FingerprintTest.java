// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

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
}
