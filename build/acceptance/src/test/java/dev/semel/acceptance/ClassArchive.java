// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An archive of the server's loaded classes. The first start writes it, and all others use it, which halves their cost. The
 * tests start nearly a hundred servers.
 */
final class ClassArchive {
    private static final Path FILE = Scratch.folder("classes").resolve("server.jsa");
    private static boolean tried;

    private ClassArchive() {}

    /** Options for the server's JVM; none if this kind of JVM writes no archive. */
    static synchronized List<String> toUse() {
        if (!tried) {
            tried = true;
            Launch launch = Launch.in(Scratch.folder("data"))
                    .withVariable("IDEMPOTENCY_SECRET", Marks.text("idempotency-secret-of-more-than-32-bytes"));
            SemelProcess.startWith(launch, List.of("-XX:ArchiveClassesAtExit=" + FILE))
                    .terminate();
        }
        return Files.exists(FILE) ? List.of("-XX:SharedArchiveFile=" + FILE) : List.of();
    }
}
