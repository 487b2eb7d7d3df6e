// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A seed decides everything, so a seed that breaks a rule can be repeated. */
class SameSeedTest {
    @ParameterizedTest
    @CsvSource({"MEMORY, 1", "MEMORY, 154", "MEMORY, 631", "DYNAMODB, 7", "DYNAMODB, 59"})
    void theSameSeedGivesTheSameTrace(StoreKind kind, long seed) {
        List<String> first = Simulation.run(kind, seed, true).trace();
        // Other simulations in between must not change anything.
        Simulation.run(kind, seed + 1, false);

        assertThat(first).hasSizeGreaterThan(10);
        assertThat(Simulation.run(kind, seed, true).trace()).isEqualTo(first);
    }

    @Test
    void theTraceDoesNotChangeWhatHappens() {
        SimulationReport traced = Simulation.run(StoreKind.MEMORY, 17, true);
        SimulationReport untraced = Simulation.run(StoreKind.MEMORY, 17, false);

        assertThat(untraced.calls()).isEqualTo(traced.calls()).isPositive();
        assertThat(untraced.runs()).isEqualTo(traced.runs());
        assertThat(untraced.trace()).isEmpty();
    }

    /** Another process has other hash codes and another order of sets. */
    @ParameterizedTest
    @CsvSource({"MEMORY, 631", "DYNAMODB, 59"})
    void theSameSeedGivesTheSameTraceInAnotherProcess(StoreKind kind, long seed) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Simulate.class.getName(),
                        "--store",
                        kind.option(),
                        "--seed",
                        Long.toString(seed))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(process.waitFor()).isZero();
        assertThat(printed.subList(0, printed.size() - 1))
                .isEqualTo(Simulation.run(kind, seed, true).trace());
    }
}
