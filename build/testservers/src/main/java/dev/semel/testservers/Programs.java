// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs programs and waits for their end. */
final class Programs {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Programs() {}

    /** Runs a program in the folder and requires that it succeeds. */
    static void run(String name, List<String> command, ScratchFolder folder, Path input) {
        Process process = ChildProcess.start(command, "KILL", folder, input);
        if (!succeeds(process)) {
            throw new IllegalStateException("%s failed: %s".formatted(name, LogTail.of(folder.log())));
        }
        folder.forget();
    }

    /** Returns whether this program exists and succeeds. Its output is ignored. */
    static boolean succeeds(List<String> command) {
        try {
            return succeeds(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start());
        } catch (IOException absent) {
            return false;
        }
    }

    private static boolean succeeds(Process process) {
        if (!Await.until(LIMIT, () -> !process.isAlive())) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }
}
