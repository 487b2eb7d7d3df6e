// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command by which {@code ./semel serve} starts the server. The JVM options are read from the launcher itself. */
final class Launcher {
    private static final Pattern SERVE = Pattern.compile("\nrun_server\\(\\) \\{\n(.*?)\n}\n", Pattern.DOTALL);
    private static final Pattern OPTION = Pattern.compile("(?<= )-X\\S+");

    private Launcher() {}

    /** The Java command with the launcher's options. SEMEL_JAVA_OPTS comes last, as in the launcher. */
    static List<String> java() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options(Files.readString(home().resolve("semel"))));
        String more = System.getenv("SEMEL_JAVA_OPTS");
        if (more != null && !more.isBlank()) {
            command.addAll(List.of(more.strip().split("\\s+", -1)));
        }
        return command;
    }

    /** The options of the server's JVM in the text of the launcher. */
    static List<String> options(String launcher) {
        Matcher serve = SERVE.matcher(launcher);
        List<String> options = new ArrayList<>();
        if (serve.find()) {
            OPTION.matcher(serve.group(1)).results().forEach(found -> options.add(found.group()));
        }
        if (options.isEmpty()) {
            throw new IllegalStateException(
                    "No JVM options found in run_server of the launcher; adapt this class to the launcher");
        }
        return options;
    }

    /** The server's jar, which {@code ./semel bench} has built. */
    static Path jar() {
        Path jar = home().resolve(Path.of("server", "target", "semel-server.jar"));
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException(
                    "The server's jar %s does not exist; build it with `mvn -pl server -am -DskipTests package`"
                            .formatted(jar));
        }
        return jar;
    }

    /** The repository's folder: set by the launcher, and two levels up in tests. */
    private static Path home() {
        return Path.of(System.getProperty("semel.home", "../.."))
                .toAbsolutePath()
                .normalize();
    }
}
