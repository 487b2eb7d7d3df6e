// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts the programs of a server. */
final class ChildProcess {

    static final Path NO_INPUT = Path.of("/dev/null");

    private ChildProcess() {}

    /** Starts a program in the folder. If this JVM ends first, the folder's watcher stops the program with this signal. */
    static Process start(List<String> command, String stopSignal, ScratchFolder folder, Path input) {
        ProcessBuilder builder = new ProcessBuilder(command)
                // Not our own folder, which the program's user may not be allowed to enter.
                .directory(folder.path().toFile())
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.log().toFile()));
        neutralise(builder.environment());
        try {
            Process process = builder.start();
            folder.watch(stopSignal, process.pid());
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server must not depend on the environment of the tests. */
    private static void neutralise(Map<String, String> environment) {
        environment
                .keySet()
                .removeIf(name -> name.startsWith("PG") || name.startsWith("MYSQL") || name.startsWith("MARIADB"));
        environment.put("LC_ALL", "C");
        environment.put("TZ", "UTC");
    }
}
