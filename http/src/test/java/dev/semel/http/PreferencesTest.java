// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreferencesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wait=5|5",
                "Wait = 5|5",
                "respond-async, wait=5|5",
                "wait=5;x=y|5",
                "wait=0|0",
                "wait=30|30",
                "wait=31|30",
                "wait=999999999|30",
                "wait=9999999999|0",
                "wait=-1|0",
                "wait=|0",
                "wait|0",
                "wait=1.5|0",
                "respond-async|0",
                "wait=5, wait=7|5"
            })
    void theFirstWaitCountsUpToTheLongestAllowed(String header, int seconds) {
        assertThat(Preferences.wait(List.of(header), Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void withoutAPreferenceThereIsNoWait() {
        assertThat(Preferences.wait(List.of(), Duration.ofSeconds(30))).isZero();
        assertThat(Preferences.wait(List.of("", "handling=lenient", "wait=2"), Duration.ofSeconds(30)))
                .isEqualTo(Duration.ofSeconds(2));
    }
}
