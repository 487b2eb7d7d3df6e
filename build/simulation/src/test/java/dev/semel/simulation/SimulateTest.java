// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that runs nothing does not say that nothing was found. */
class SimulateTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--seeds -5",
                "--seeds 0",
                "--seeds",
                "--seeds many",
                "--from 9223372036854775800 --seeds 20",
                "--nope 3",
                "--store paper --seed 3"
            })
    void argumentsThatRunNothingAreRefused(String arguments) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("Usage: ./semel simulate");
    }

    @Test
    void someSeedsRun() {
        assertThat(run("--from 7 --seeds 3")).isZero();
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("0 of 3 seeds broke a rule");
    }

    @Test
    void theLastSeedRuns() {
        assertThat(run("--seed 9223372036854775807")).isZero();
    }

    private int run(String arguments) {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return Simulate.run(out, out, arguments.split(" ", -1));
    }
}
