// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders outside the source tree that live as long as this JVM: the servers that tests share outlive any test. */
final class Scratch {
    /**
     * Where Linux has a folder in memory, disks that stand still do not hold up the embedded databases. What a killed
     * process has written stays there as it does on a disk.
     */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long ENOUGH = 1L << 30;
    private static final Path ROOT = root();

    private Scratch() {}

    static Path folder(String what) {
        try {
            return Files.createTempDirectory(ROOT, what + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        try {
            Path root = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH
                    ? Files.createTempDirectory(MEMORY, "semel-acceptance-")
                    : Files.createTempDirectory("semel-acceptance-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root), "delete scratch folder"));
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder with all that is in it, if there is one. */
    static void delete(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException stillInUse) {
            // There is none; or a server writes while it dies, in the system's temporary folder.
        }
    }
}
