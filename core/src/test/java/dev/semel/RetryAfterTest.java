// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, PT0.05S",
        "PT0.049999999S, PT0.05S",
        "PT0.05S, PT0.05S",
        "PT0.050000001S, PT0.050000001S",
        "PT4.999999999S, PT4.999999999S",
        "PT5S, PT5S",
        "PT5.000000001S, PT5S",
        "PT5M, PT5S"
    })
    void isTheRestOfTheLeaseWithinItsBounds(Duration leaseLeft, Duration expected) {
        assertThat(new ClaimOutcome.InProgress(leaseLeft).retryAfter()).isEqualTo(expected);
        assertThat(new Outcome.InProgress<>(leaseLeft).retryAfter()).isEqualTo(expected);
        assertThat(new Awaited.Running(leaseLeft).retryAfter()).isEqualTo(expected);
    }
}
