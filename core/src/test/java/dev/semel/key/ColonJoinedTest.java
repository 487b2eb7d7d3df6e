// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColonJoinedTest {
    @Test
    void joinsItsPartsWithColons() {
        assertThat(ColonJoined.of("api", "POST", "/orders", "actor", "7")).isEqualTo("api:POST:/orders:actor:7");
        assertThat(ColonJoined.of("alone")).isEqualTo("alone");
    }

    @Test
    void encodesColonsAndPercentSignsInsideAPart() {
        assertThat(ColonJoined.of("a:b", "50%")).isEqualTo("a%3Ab:50%25");
    }

    @Test
    void differentListsOfPartsGiveDifferentTexts() {
        assertThat(ColonJoined.of("a:b", "c"))
                .isNotEqualTo(ColonJoined.of("a", "b:c"))
                .isNotEqualTo(ColonJoined.of("a", "b", "c"));
        assertThat(ColonJoined.of("a:b")).isNotEqualTo(ColonJoined.of("a%3Ab"));
        assertThat(ColonJoined.of("", "a"))
                .isNotEqualTo(ColonJoined.of("a", ""))
                .isNotEqualTo(ColonJoined.of("a"));
    }
}
