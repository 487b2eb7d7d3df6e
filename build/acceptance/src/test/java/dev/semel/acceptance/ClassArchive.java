// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The server's classes as the JVM has them after loading: left behind by one start and used by all others, which then cost
 * half. The tests start nearly a hundred.
 */
final class ClassArchive {
    private static final Path FILE = Scratch.folder("classes").resolve("server.jsa");
    private static boolean tried;

    private ClassArchive() {}

    /** Options for a JVM that runs the server; none if this kind of JVM leaves no archive. */
    static synchronized List<String> toUse() {
        if (!tried) {
            tried = true;
            Launch launch = Launch.in(Scratch.folder("data"))
                    .withVariable("IDEMPOTENCY_SECRET", Marks.text("idempotency-secret-of-more-than-32-bytes"));
            ServerProcess.startWith(launch, List.of("-XX:ArchiveClassesAtExit=" + FILE))
                    .terminate();
        }
        return Files.exists(FILE) ? List.of("-XX:SharedArchiveFile=" + FILE) : List.of();
    }
}
