// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * TypeScript's compiler, unpacked from its jar.
 *
 * @param node the interpreter that runs it
 * @param program its file
 */
record TypeScript(Interpreter node, Path program) {
    private static final String INSIDE = "META-INF/resources/webjars/typescript/";

    /** Unpacks the compiler into a new folder. */
    static TypeScript unpacked(Interpreter node) throws IOException {
        Path folder = Scratch.folder("compiler");
        URL resource = TypeScript.class.getResource("/" + INSIDE);
        assertThat(resource).as("the artifact with the compiler").isNotNull();
        JarURLConnection connection = (JarURLConnection) resource.openConnection();
        // A cached file would be shared with the class loader.
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            jar.stream()
                    .filter(entry -> entry.getName().matches(INSIDE + "[^/]+/(package\\.json|lib/[^/]+\\.(js|d\\.ts))"))
                    .forEach(entry -> copy(jar, entry, folder));
        }
        return new TypeScript(node, folder.resolve("lib/tsc.js"));
    }

    /** Checks files strictly and compiles them. */
    void compile(Path sources, Path output, String... arguments) {
        List<String> words = new ArrayList<>(
                List.of(program.toString(), "--strict", "--target", "es2022", "--lib", "es2022,dom", "--outDir"));
        words.add(output.toString());
        words.addAll(List.of(arguments));
        Interpreter.Ended compiled = node.run(sources, Map.of(), words);
        assertThat(compiled.exitCode()).as(compiled.output()).isZero();
    }

    private static void copy(JarFile jar, JarEntry entry, Path folder) {
        Path file = folder.resolve(entry.getName().replaceFirst("^" + INSIDE + "[^/]+/", ""));
        try (InputStream in = jar.getInputStream(entry)) {
            Files.createDirectories(file.getParent());
            Files.copy(in, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
