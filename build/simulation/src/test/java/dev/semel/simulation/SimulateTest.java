// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of {@code ./semel simulate}. */
class SimulateTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** A run of no seed must not look like a success. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--seeds 0 | --seeds must be at least 1",
                "--seeds -1 | --seeds must be at least 1",
                "--seed x | --seed needs a number, but got x",
                "--seeds | --seeds needs a number, but got nothing",
                "--sed 1 | --sed is no option",
                "--help | --help is no option",
                "--seed 1 --seeds 2 | leave --seeds and --from out",
            })
    void wrongOptionsAreExplained(String options, String message) {
        assertThat(run(options.split(" "))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(message, "Usage: ./semel simulate");
        assertThat(out.size()).isZero();
    }

    @Test
    void oneSeedAndManySeedsRun() {
        assertThat(run("--seed", "7")).isZero();
        assertThat(run("--seeds", "3", "--from", "-1")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Seed 7 broke no rule", "0 of 3 seeds broke a rule");
    }

    private int run(String... options) {
        return Simulate.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                options);
    }
}
