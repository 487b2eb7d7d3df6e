// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import dev.semel.server.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A temporary folder that is deleted at the end. */
public final class DemoFolder implements AutoCloseable {
    private final Path path;

    private DemoFolder(Path path) {
        this.path = path;
    }

    /**
     * Creates a folder that only its owner can read.
     *
     * @throws ConfigException if the folder for temporary files cannot be written
     */
    public static DemoFolder create() {
        try {
            return new DemoFolder(Files.createTempDirectory("semel-demo-"));
        } catch (IOException e) {
            throw new ConfigException(
                    "Cannot create a folder in %s (%s); name a folder for temporary files with JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR"
                            .formatted(
                                    System.getProperty("java.io.tmpdir"),
                                    e.getClass().getSimpleName()));
        }
    }

    public Path path() {
        return path;
    }

    Path write(String name, String text) {
        try {
            return Files.writeString(path.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
