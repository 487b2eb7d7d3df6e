// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exit code 1 means that a rule was broken, and 0 that something was tested: a wrong option is neither. */
class TortureOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--store foo | There is no store 'foo'; use sqlite, postgresql, mariadb or memory",
                "--faults foo | There is no fault 'foo'",
                "--works plain,foo | There is no workload 'foo'; use some of [plain, manual",
                "--seconds 0 | --seconds must be at least 1",
                "--processes 0 | --processes must be at least 1",
                "--seconds x | 'x' is not an int",
            })
    void wrongOptionsAreRefusedBeforeAnythingStarts(String options, String message) {
        StringWriter err = new StringWriter();

        int exit = Torture.commandLine().setErr(new PrintWriter(err, true)).execute(options.split(" "));

        assertThat(exit).isEqualTo(2);
        assertThat(err.toString()).contains(message, "Usage: ").doesNotContain("\tat ");
    }
}
