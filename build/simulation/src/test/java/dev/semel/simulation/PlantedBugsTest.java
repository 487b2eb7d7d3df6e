// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The checker is worth something: it finds every bug that is planted into the core. docs/reliability.md has the table. */
class PlantedBugsTest {
    /** Far fewer than {@code mvn verify} runs on the real core. */
    private static final int SEEDS = 3_000;

    @TempDir
    Path folder;

    /** All of them take half a minute of CPU time. */
    @TestFactory
    Stream<DynamicTest> everyThirdPlantedBugIsFound() throws IOException {
        List<Path> patches = PatchedCore.patches();
        return found(IntStream.range(0, patches.size())
                .filter(number -> number % 3 == 0)
                .mapToObj(patches::get));
    }

    @Tag("simulate")
    @TestFactory
    Stream<DynamicTest> everyPlantedBugIsFound() throws IOException {
        return found(PatchedCore.patches().stream());
    }

    @Test
    void everyPatchFits() throws Exception {
        for (Path patch : PatchedCore.patches()) {
            Path copy = Files.createDirectory(folder.resolve(patch.getFileName().toString()));
            assertThat(PatchedCore.applied(patch, copy)).as("files of " + patch).isNotEmpty();
        }
    }

    private Stream<DynamicTest> found(Stream<Path> patches) {
        return patches.map(patch -> DynamicTest.dynamicTest(patch.getFileName().toString(), () -> isFound(patch)));
    }

    private void isFound(Path patch) throws Exception {
        Path copy = Files.createDirectory(folder.resolve(patch.getFileName().toString()));
        try (PatchedCore core = PatchedCore.of(patch, copy)) {
            PatchedCore.@Nullable Found found = core.firstBroken(1, SEEDS);

            assertThat(found).as("planted bug " + patch.getFileName()).isNotNull();
            System.out.printf("%s: after %d seeds by %s%n", patch.getFileName(), found.seeds(), found.rule());
        }
    }
}
