// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a user calls it; this build has already made what it needs. */
class LauncherTest {
    @Test
    void theExampleRuns(@TempDir Path folder) throws Exception {
        String file = folder.resolve("claims.db").toString();

        assertThat(semel("example", "sqlite", file))
                .isEqualTo("charging the card\nSucceeded[value=receipt 4711, replayed=false]\nexit 0");
        assertThat(semel("example", "sqlite", file)).isEqualTo("Succeeded[value=receipt 4711, replayed=true]\nexit 0");
        assertThat(semel("example", "memory")).contains("charging the card").endsWith("exit 0");
    }

    @Test
    void anUnknownCommandIsNamedAndTheKnownOnesAreShown() throws Exception {
        assertThat(semel("serv"))
                .contains("example memory")
                .contains("there is no command 'serv'")
                .endsWith("exit 2");
        assertThat(semel("example", "oracle"))
                .contains("memory, sqlite and transaction")
                .endsWith("exit 2");
        assertThat(semel("help")).startsWith("Usage: ./semel").endsWith("exit 0");
    }

    private static String semel(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = Path.of("..", "semel").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output + "exit " + process.waitFor();
    }
}
