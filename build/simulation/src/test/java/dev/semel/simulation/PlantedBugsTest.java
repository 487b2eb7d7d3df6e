// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker is worth something: it finds every bug that is planted. docs/reliability.md has the tables. */
class PlantedBugsTest {
    /** Far fewer than {@code mvn verify} runs on the real core. */
    private static final int SEEDS = 3_000;

    private static final Set<String> QUICKLY_FOUND =
            Set.of("01-take-over-by-the-process-clock.patch", "02-take-over-by-the-latest-time.patch");

    @TempDir
    Path folder;

    /** All of them take half a minute of CPU time. */
    @TestFactory
    Stream<DynamicTest> everyThirdPlantedBugIsFound() throws IOException {
        List<Path> patches = PatchedCore.patches(StoreKind.MEMORY);
        return found(
                StoreKind.MEMORY,
                IntStream.range(0, patches.size())
                        .filter(number -> number % 3 == 0)
                        .mapToObj(patches::get));
    }

    /** Those that take the fewest seeds. */
    @TestFactory
    Stream<DynamicTest> plantedClockBugsAreFound() throws IOException {
        return found(
                StoreKind.DYNAMODB,
                PatchedCore.patches(StoreKind.DYNAMODB).stream()
                        .filter(patch ->
                                QUICKLY_FOUND.contains(patch.getFileName().toString())));
    }

    @Tag("simulate")
    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void everyPlantedBugIsFound(StoreKind kind) throws Exception {
        for (Path patch : PatchedCore.patches(kind)) {
            isFound(kind, patch);
        }
    }

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void everyPatchFits(StoreKind kind) throws Exception {
        for (Path patch : PatchedCore.patches(kind)) {
            Path copy = Files.createDirectory(folder.resolve(patch.getFileName().toString()));
            assertThat(PatchedCore.applied(patch, copy)).as("files of " + patch).isNotEmpty();
        }
    }

    private Stream<DynamicTest> found(StoreKind kind, Stream<Path> patches) {
        return patches.map(
                patch -> DynamicTest.dynamicTest(patch.getFileName().toString(), () -> isFound(kind, patch)));
    }

    private void isFound(StoreKind kind, Path patch) throws Exception {
        Path copy = Files.createDirectory(folder.resolve(patch.getFileName().toString()));
        try (PatchedCore core = PatchedCore.of(patch, copy)) {
            PatchedCore.@Nullable Found found = core.firstBroken(kind, 1, SEEDS);

            assertThat(found).as("planted bug " + patch.getFileName()).isNotNull();
            System.out.printf("%s: after %d seeds by %s%n", patch.getFileName(), found.seeds(), found.rule());
        }
    }
}
