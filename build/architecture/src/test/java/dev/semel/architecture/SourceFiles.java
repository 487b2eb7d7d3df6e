// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The Java files of the repository, as text. */
final class SourceFiles {
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");

    private SourceFiles() {}

    /** All Java files below a folder. */
    static List<Path> below(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                return SKIPPED.contains(nameOf(dir)) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (nameOf(file).endsWith(".java")) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /** The simple name of the class that a file is called after. */
    static String className(Path file) {
        return nameOf(file).replace(".java", "");
    }

    private static String nameOf(Path path) {
        return path.getFileName().toString();
    }
}
