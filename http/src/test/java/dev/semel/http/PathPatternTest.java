// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathPatternTest {
    @ParameterizedTest
    @CsvSource({
        "/orders, /orders, true",
        "/orders, /orders/, false",
        "/orders, /orders/1, false",
        "/orders/{id}, /orders/1, true",
        "/orders/{id}, /orders/, false",
        "/orders/{id}, /orders/1/2, false",
        "/orders/*/items, /orders/1/items, true",
        "/orders/*/items, /orders/1/other, false",
        "/orders/**, /orders, true",
        "/orders/**, /orders/, true",
        "/orders/**, /orders/1/2, true",
        "/orders/**, /ordersome, false",
        "/orders/**, /Orders/1, false",
        "/orders/**, /%6frders/1, false",
        "/orders/{id}/**, /orders, false",
        "/**, /, true",
        "/**, /any/thing, true",
        "/**, *, false",
        "/, /, true"
    })
    void matches(String pattern, String path, boolean expected) {
        assertThat(PathPattern.of(pattern).matches(path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "/a/**/b", "/a{b}", "/{}", "/a?b", "/a*", "/{a b}"})
    void whatIsNoPatternIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PathPattern.of(text));
    }

    @Test
    void aLongOneIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> PathPattern.of("/" + "o".repeat(512)));
        assertThat(PathPattern.of("/" + "o".repeat(511))).hasToString("/" + "o".repeat(511));
    }
}
