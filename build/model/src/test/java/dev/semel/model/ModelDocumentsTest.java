// SPDX-License-Identifier: Apache-2.0
package dev.semel.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form for every build: the model can be read, finds one bug, and is described as it is. */
class ModelDocumentsTest {
    @TempDir
    private Path folder;

    @Test
    void theModelFindsABugWithinSeconds() throws Exception {
        PlantedBug bug = PlantedBug.CACHE_BEFORE_COMMIT;
        String configuration =
                ModelChecker.planted(ModelChecker.text("Semel.cfg"), bug.constant, List.of(bug.invariant));

        ModelChecker.Report report = new ModelChecker(folder, "Semel.tla").check(configuration, 1);

        assertThat(report.violated()).as(report.output()).contains(bug.invariant);
    }

    @Test
    void everyBugOfTheModelIsPlantedByATest() throws IOException {
        Set<String> inModel = found("Bug (?:=|#) \"(\\w+)\"", ModelChecker.text("Semel.tla"));
        inModel.addAll(
                found("\"(\\w+)\"", String.join("", found("Bug \\\\in \\{([^}]*)}", ModelChecker.text("Semel.tla")))));

        assertThat(inModel)
                .isEqualTo(
                        Stream.of(PlantedBug.values()).map(bug -> bug.constant).collect(Collectors.toSet()));
    }

    @Test
    void everyBugOfTheClockIsPlantedByATest() throws IOException {
        assertThat(found("Bug (?:=|#) \"(\\w+)\"", ModelChecker.text("Clock.tla")))
                .isEqualTo(Stream.of(ClockBug.values()).map(bug -> bug.constant).collect(Collectors.toSet()));
    }

    @Test
    void theModelOfTheClockFindsATakeOverByTheLatestTime() throws Exception {
        ClockBug bug = ClockBug.TAKE_OVER_BY_HI;
        String configuration =
                ModelChecker.planted(ModelChecker.text(bug.configuration), bug.constant, List.of(ClockBug.INVARIANT));

        ModelChecker.Report report = new ModelChecker(folder, "Clock.tla").check(configuration, 1);

        assertThat(report.violated()).as(report.output()).contains(ClockBug.INVARIANT);
    }

    @Test
    void theDescriptionListsEveryBugWithItsInvariant() throws IOException {
        String description = ModelChecker.text("README.md");

        assertThat(PlantedBug.values())
                .allSatisfy(bug -> assertThat(description)
                        .containsPattern("\\| `%s` \\|[^\\n]*\\| `%s` \\|".formatted(bug.constant, bug.invariant)));
        assertThat(ClockBug.values())
                .allSatisfy(bug -> assertThat(description)
                        .containsPattern("\\| `%s` \\|[^\\n]*\\| `%s` \\|".formatted(bug.constant, bug.configuration)));
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
