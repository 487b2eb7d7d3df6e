// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders outside the source tree that exist as long as this JVM, because shared servers outlive each test. */
final class Scratch {
    /**
     * Linux has a folder in memory, so that a slow disk does not delay the embedded databases. The files of a killed process
     * stay there as on a disk.
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

    /** Deletes a folder with its content, if it exists. */
    static void delete(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException stillInUse) {
            // It does not exist, or a server still writes while it ends. It is in the system's temporary folder.
        }
    }
}
