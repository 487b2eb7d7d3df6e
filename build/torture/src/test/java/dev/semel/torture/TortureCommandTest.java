// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that runs nothing does not say that nothing was found. */
class TortureCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--seconds -5",
                "--seconds 0",
                "--seconds 99999999999",
                "--processes 0",
                "--store nosuch",
                "--faults nosuch",
                "--works plain,nosuch",
                "--store dynamodb --works plain,ledger",
                "--planted nosuch --seconds 0"
            })
    void argumentsThatRunNothingAreRefused(String arguments) {
        assertThat(Torture.run(arguments.split(" ", -1))).isEqualTo(2);
    }

    @Test
    void aPlantedDefectThatIsNotThereIsNotFound() throws Exception {
        assertThat(new Planted(Path.of("..", ".."), 1, 1).run("nosuch")).isFalse();
    }

    @Test
    void aRunWithoutCallsSaysNothing() {
        assertThat(Torture.run("--store", "memory", "--works", "ledger", "--faults", "none", "--seconds", "1"))
                .isEqualTo(3);
    }
}
