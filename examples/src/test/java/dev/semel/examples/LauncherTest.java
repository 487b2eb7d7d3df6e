// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the launcher as a user does. This build has already compiled what it needs. */
class LauncherTest {
    @Test
    void theExampleRuns(@TempDir Path folder) throws Exception {
        String file = folder.resolve("claims.db").toString();

        assertThat(semel("example", "sqlite", file))
                .isEqualTo("charging the card\nSucceeded[value=receipt 4711, replayed=false]\nexit 0");
        assertThat(semel("example", "sqlite", file)).isEqualTo("Succeeded[value=receipt 4711, replayed=true]\nexit 0");
        assertThat(semel("example", "memory")).contains("charging the card").endsWith("exit 0");
        assertThat(semel("example", "servlet")).contains("making order 1").endsWith("exit 0");
        assertThat(semel("example", "ai")).contains("AI call").endsWith("exit 0");
    }

    @Test
    void anUnknownCommandIsReportedWithTheKnownOnes() throws Exception {
        assertThat(semel("serv"))
                .contains("example memory")
                .contains("unknown command 'serv'")
                .endsWith("exit 2");
        assertThat(semel("example", "oracle"))
                .contains("memory, sqlite, transaction, servlet, ai, boot and kafka")
                .endsWith("exit 2");
        assertThat(semel("help")).startsWith("Usage: ./semel").endsWith("exit 0");
    }

    @Test
    void anUnknownModuleIsReportedWithTheKnownOnes() throws Exception {
        assertThat(semel("test", "store"))
                .contains("  stores/jdbc\n")
                .contains("  build/acceptance\n")
                .contains("unknown module 'store'")
                .endsWith("exit 2");
        assertThat(semel("test")).contains("  stores/jdbc\n").endsWith("exit 2");
        assertThat(semel("test", "examples", "Nothing*"))
                .contains("no test class of examples matches 'Nothing*'")
                .endsWith("exit 2");
    }

    /** A program called mvn, first on the PATH, prints the line that Maven would be called with. */
    @Test
    void testsOfOneModuleRunByOneMavenLine(@TempDir Path folder) throws Exception {
        Path maven = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\necho \"$@\"\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        String path = folder + File.pathSeparator + System.getenv("PATH");
        String start = "--batch-mode --no-transfer-progress -pl examples -am verify -Dtest=";
        String end = " -Dsurefire.failIfNoSpecifiedTests=false";

        assertThat(semel(Map.of("PATH", path), "test", "examples"))
                .isEqualTo(
                        start + "dev.semel.examples.ExamplesTest,dev.semel.examples.LauncherTest" + end + "\nexit 0");
        assertThat(semel(Map.of("PATH", path), "test", "examples", "Launch*", "-o"))
                .isEqualTo(start + "dev.semel.examples.LauncherTest" + end + " -o\nexit 0");
        assertThat(semel(Map.of("PATH", path), "test", "examples", "-T1"))
                .endsWith("dev.semel.examples.LauncherTest" + end + " -T1\nexit 0");
    }

    private static String semel(String... arguments) throws IOException, InterruptedException {
        return semel(Map.of(), arguments);
    }

    private static String semel(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = Path.of("..", "semel").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output + "exit " + process.waitFor();
    }
}
