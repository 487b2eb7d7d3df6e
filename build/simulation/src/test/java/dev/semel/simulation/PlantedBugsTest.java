// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The checker is worth something: it finds every bug that is planted into the core. docs/reliability.md has the table. */
class PlantedBugsTest {
    /** Far fewer than {@code mvn verify} runs on the real core. */
    private static final int SEEDS = 3_000;

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> everyPlantedBugIsFound() throws IOException {
        return PatchedCore.patches().stream()
                .map(patch -> DynamicTest.dynamicTest(patch.getFileName().toString(), () -> isFound(patch)));
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
