// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A planted defect must fit the sources, or {@code ./semel torture --planted} cannot plant it. */
class PlantedPatchesTest {
    private static final Path HOME = Path.of("../..").toAbsolutePath().normalize();

    static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/patches").toAbsolutePath())) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("patches")
    void aPatchFitsTheSources(Path patch) throws Exception {
        Process git = new ProcessBuilder("git", "apply", "--check", patch.toString())
                .directory(HOME.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(git.waitFor()).as(output).isZero();
    }
}
