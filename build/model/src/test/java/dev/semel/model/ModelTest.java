// SPDX-License-Identifier: Apache-2.0
package dev.semel.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks every state of the model, and that each planted bug is found. {@code docs/model/README.md} describes the model. */
@Tag("model")
class ModelTest {
    private static final long FEWEST_STATES = 100_000;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"Semel.cfg", "Faults.cfg", "Three.cfg", "Park.cfg"})
    void everyInvariantHoldsInEveryState(String configuration) throws Exception {
        everyInvariantHolds("Semel.tla", configuration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Clock.cfg", "Suspended.cfg"})
    void thereIsOneOwnerByEveryClock(String configuration) throws Exception {
        everyInvariantHolds("Clock.tla", configuration);
    }

    private void everyInvariantHolds(String model, String configuration) throws Exception {
        ModelChecker.Report report = new ModelChecker(folder, model).check(ModelChecker.text(configuration), 2);

        assertThat(report.complete()).as(report.output()).isTrue();
        assertThat(report.distinct()).isGreaterThanOrEqualTo(FEWEST_STATES);
        System.out.printf("%s: %d distinct states, no violation%n", configuration, report.distinct());
    }

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void aPlantedBugIsFound(PlantedBug bug) throws Exception {
        String configuration =
                ModelChecker.planted(ModelChecker.text("Semel.cfg"), bug.constant, List.of(bug.invariant));

        // With one worker, the search is the same every time.
        ModelChecker.Report report = new ModelChecker(folder, "Semel.tla").check(configuration, 1);

        assertThat(report.violated()).as(report.output()).contains(bug.invariant);
        System.out.printf("%s: %s after %d distinct states%n", bug, bug.invariant, report.distinct());
    }

    @ParameterizedTest
    @EnumSource(ClockBug.class)
    void aPlantedBugOfTheClockIsFound(ClockBug bug) throws Exception {
        String configuration =
                ModelChecker.planted(ModelChecker.text(bug.configuration), bug.constant, List.of(ClockBug.INVARIANT));

        ModelChecker.Report report = new ModelChecker(folder, "Clock.tla").check(configuration, 1);

        assertThat(report.violated()).as(report.output()).contains(ClockBug.INVARIANT);
        System.out.printf("%s: after %d distinct states%n", bug, report.distinct());
    }
}
