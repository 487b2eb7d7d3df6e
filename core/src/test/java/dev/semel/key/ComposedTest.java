// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComposedTest {
    @Test
    void joinsItsPartsWithColons() {
        assertThat(Composed.of("api", "POST", "/orders", "actor", "7")).isEqualTo("api:POST:/orders:actor:7");
        assertThat(Composed.of("alone")).isEqualTo("alone");
    }

    @Test
    void encodesColonsAndPercentSignsInsideAPart() {
        assertThat(Composed.of("a:b", "50%")).isEqualTo("a%3Ab:50%25");
    }

    @Test
    void differentListsOfPartsGiveDifferentTexts() {
        assertThat(Composed.of("a:b", "c"))
                .isNotEqualTo(Composed.of("a", "b:c"))
                .isNotEqualTo(Composed.of("a", "b", "c"));
        assertThat(Composed.of("a:b")).isNotEqualTo(Composed.of("a%3Ab"));
        assertThat(Composed.of("", "a")).isNotEqualTo(Composed.of("a", "")).isNotEqualTo(Composed.of("a"));
    }
}
