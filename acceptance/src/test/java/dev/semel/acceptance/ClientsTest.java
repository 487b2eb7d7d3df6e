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
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The clients in {@code clients/}, run by their own scripts against the real server. */
@BlackBox
class ClientsTest {
    private static final Path CLIENTS =
            Path.of("..", "clients").toAbsolutePath().normalize();
    private static final String COMPILER = "META-INF/resources/webjars/typescript/";

    /** In development and, by a token, in production. */
    private static final List<Environment> SERVERS = List.of(Environment.SQLITE, Environment.SQLITE_PRODUCTION);

    @Test
    void python() {
        Interpreter python = Interpreter.required("python3", 3, 8);

        for (Environment environment : SERVERS) {
            Interpreter.Ended ended =
                    python.run(CLIENTS.resolve("python"), variables(environment), List.of("semel_test.py"));
            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output()).containsPattern("Ran [1-9][0-9] tests").contains("OK");
        }
    }

    /** Checked and compiled first: so it also runs where Node.js cannot erase types itself. */
    @Test
    void typescriptCompiled() throws IOException {
        Interpreter node = Interpreter.required("node", 18, 0);
        Path folder = Scratch.folder("typescript");
        Interpreter.Ended compiled = node.run(
                CLIENTS.resolve("typescript"),
                Map.of(),
                List.of(
                        compiler(folder.resolve("compiler")).toString(),
                        "--strict",
                        "--noUnusedLocals",
                        "--noUnusedParameters",
                        "--erasableSyntaxOnly",
                        "--verbatimModuleSyntax",
                        "--rewriteRelativeImportExtensions",
                        "--target",
                        "es2022",
                        "--lib",
                        "es2022,dom",
                        "--module",
                        "esnext",
                        "--moduleResolution",
                        "bundler",
                        "--outDir",
                        folder.resolve("compiled").toString(),
                        "semel.ts",
                        "semel_test.ts"));
        assertThat(compiled.exitCode()).as(compiled.output()).isZero();
        Files.writeString(folder.resolve("compiled/package.json"), "{\"type\":\"module\"}");

        for (Environment environment : SERVERS) {
            passes(node.run(
                    folder.resolve("compiled"),
                    variables(environment),
                    List.of("--test-reporter=tap", "semel_test.js")));
        }
    }

    @Test
    void typescriptAsItIs() {
        Interpreter node = Interpreter.required("node", 22, 18);

        passes(node.run(
                CLIENTS.resolve("typescript"),
                variables(Environment.SQLITE),
                List.of("--test-reporter=tap", "semel_test.ts")));
    }

    private static Map<String, String> variables(Environment environment) {
        RunningServer server = environment.shared();
        return Map.of(
                "SEMEL_URL",
                server.process().uri().toString(),
                "SEMEL_TOKEN",
                server.isProduction() ? server.configuration().tenant().client() : "",
                "NO_PROXY",
                "127.0.0.1",
                "PYTHONDONTWRITEBYTECODE",
                "1");
    }

    private static void passes(Interpreter.Ended ended) {
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output()).containsPattern("# pass [1-9][0-9]").contains("# fail 0");
    }

    /** The compiler's program, out of the jar that it comes in. */
    private static Path compiler(Path folder) throws IOException {
        URL resource = ClientsTest.class.getResource("/" + COMPILER);
        assertThat(resource).as("the artifact with the compiler").isNotNull();
        JarURLConnection connection = (JarURLConnection) resource.openConnection();
        // A cached file would be the class loader's own.
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            jar.stream()
                    .filter(entry ->
                            entry.getName().matches(COMPILER + "[^/]+/(package\\.json|lib/[^/]+\\.(js|d\\.ts))"))
                    .forEach(entry -> copy(jar, entry, folder));
        }
        return folder.resolve("lib/tsc.js");
    }

    private static void copy(JarFile jar, JarEntry entry, Path folder) {
        Path file = folder.resolve(entry.getName().replaceFirst("^" + COMPILER + "[^/]+/", ""));
        try (InputStream in = jar.getInputStream(entry)) {
            Files.createDirectories(file.getParent());
            Files.copy(in, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
