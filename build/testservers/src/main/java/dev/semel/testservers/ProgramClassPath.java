// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The class path of a program in a module of its own, whose libraries are not on the class path of the tests. */
final class ProgramClassPath {
    private ProgramClassPath() {}

    /**
     * @param program the class with the main method; beside it, Maven writes classpath.txt
     * @param artifact the module that has the program
     */
    static String of(String program, String artifact) {
        try {
            Class<?> type = Class.forName(program, false, ProgramClassPath.class.getClassLoader());
            Path own = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (InputStream dependencies = type.getResourceAsStream("classpath.txt")) {
                if (dependencies == null) {
                    throw new IllegalStateException(
                            "classpath.txt is missing: build %s with Maven".formatted(artifact));
                }
                return own
                        + File.pathSeparator
                        + new String(dependencies.readAllBytes(), StandardCharsets.UTF_8).strip();
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("Add %s to the test dependencies".formatted(artifact), e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
