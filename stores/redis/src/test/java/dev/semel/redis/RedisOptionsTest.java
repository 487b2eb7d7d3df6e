// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisOptionsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RedisOptions defaults = RedisOptions.defaults();

    @Test
    void eachMethodChangesItsOption() {
        assertThat(defaults.withLargestEntry(1)
                        .withKeyPrefix("mine:")
                        .withTimeouts(SECOND, SECOND.plusMillis(1))
                        .withBreaker(2, SECOND.plusMillis(2), SECOND.plusMillis(3)))
                .isEqualTo(new RedisOptions(
                        1, "mine:", SECOND, SECOND.plusMillis(1), 2, SECOND.plusMillis(2), SECOND.plusMillis(3)));
    }

    @Test
    void invalidOptionsAreRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withLargestEntry(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withLargestEntry((16 << 20) + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withKeyPrefix("with space"));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withKeyPrefix("x".repeat(65)));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withTimeouts(Duration.ZERO, SECOND));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withTimeouts(SECOND, Duration.ofDays(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> defaults.withBreaker(0, SECOND, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> defaults.withBreaker(1, SECOND, Duration.ofMillis(999)))
                .withMessageContaining("longest pause");
    }
}
