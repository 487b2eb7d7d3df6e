// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs the tests of the clients in {@code clients/} against the real server. */
@BlackBox
class ClientsTest {
    private static final Path CLIENTS =
            Path.of("..", "..", "clients").toAbsolutePath().normalize();

    /** In development, and with a token in production. */
    static final List<Environment> SERVERS = List.of(Environment.SQLITE, Environment.SQLITE_PRODUCTION);

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

    /** Checked and compiled first, so that it also runs on a Node.js that cannot strip types. */
    @Test
    void typescriptCompiled() throws IOException {
        Interpreter node = Interpreter.required("node", 18, 0);
        Path compiled = Scratch.folder("typescript");
        TypeScript.unpacked(node)
                .compile(
                        CLIENTS.resolve("typescript"),
                        compiled,
                        "--noUnusedLocals",
                        "--noUnusedParameters",
                        "--erasableSyntaxOnly",
                        "--verbatimModuleSyntax",
                        "--rewriteRelativeImportExtensions",
                        "--module",
                        "esnext",
                        "--moduleResolution",
                        "bundler",
                        "semel.ts",
                        "semel_test.ts");
        Files.writeString(compiled.resolve("package.json"), "{\"type\":\"module\"}");

        for (Environment environment : SERVERS) {
            passes(node.run(compiled, variables(environment), List.of("--test-reporter=tap", "semel_test.js")));
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
}
