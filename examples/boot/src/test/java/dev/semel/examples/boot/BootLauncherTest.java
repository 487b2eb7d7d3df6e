// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example with the launcher, as a user does. This build has already compiled what it needs. */
class BootLauncherTest {
    @Test
    void theExampleRuns(@TempDir Path folder) throws Exception {
        ProcessBuilder command = new ProcessBuilder(
                        Path.of("..", "..", "semel").toString(),
                        "example",
                        "boot",
                        "--orders.file=" + folder.resolve("orders.db"))
                .redirectErrorStream(true);
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = command.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(output).startsWith("order: 201, ").endsWith("orders: 1, payments: 1, paid: 1999 cents\n");
        assertThat(process.waitFor()).isZero();
    }
}
