// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Clients that OpenAPI Generator makes from the served openapi.yaml, without options. A script in each language claims, renews,
 * settles and replays with the generated client only.
 */
@BlackBox
class GeneratedClientsTest {
    private static final Path SCRIPTS = Path.of("src", "clients").toAbsolutePath();
    private static final Path TARGET = Path.of("target", "clients").toAbsolutePath();
    private static final Path DOCUMENT = TARGET.resolve("openapi.yaml");
    private static final Interpreter JAVA = new Interpreter(
            Path.of(System.getProperty("java.home"), "bin", "java").toString());

    /** The output of each script after all its checks have passed. */
    private static final String PASSED = "passed: claim, in progress, renew, settle, replay, mismatch, ledger";

    @BeforeAll
    static void readDocument() throws IOException {
        String url = Environment.SQLITE.shared().process().uri() + "/openapi.yaml";
        Answer answer = Client.exchange(url, Ask.get("/openapi.yaml"));
        assertThat(answer.status()).isEqualTo(200);
        Files.createDirectories(TARGET);
        Files.writeString(DOCUMENT, answer.text());
    }

    @Test
    void python() throws IOException {
        Interpreter python = Interpreter.required("python3", 3, 9);
        Path client = generated("python");
        Path script = Files.copy(SCRIPTS.resolve("python/claims.py"), client.resolve("claims.py"));

        passes(withLibraries(python, client), script);
    }

    @Test
    void typescript() throws IOException {
        Interpreter node = Interpreter.required("node", 18, 0);
        Path client = generated("typescript-fetch");
        Files.copy(SCRIPTS.resolve("typescript/claims.ts"), client.resolve("claims.ts"));
        Path compiled = client.resolve("compiled");
        TypeScript.unpacked(node).compile(client, compiled, "--module", "commonjs", "claims.ts");

        passes(node, compiled.resolve("claims.js"));
    }

    /** In development, and with a token in production. */
    private static void passes(Interpreter interpreter, Path script) {
        for (Environment environment : ClientsTest.SERVERS) {
            Map<String, String> variables = variables(environment.shared());
            Interpreter.Ended ended = interpreter.run(script.getParent(), variables, List.of(script.toString()));
            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output()).contains(PASSED);
        }
    }

    private static Map<String, String> variables(RunningServer server) {
        Configuration.Tenant tenant =
                server.isProduction() ? server.configuration().tenant() : null;
        return Map.of(
                "SEMEL_URL",
                server.process().uri().toString(),
                "SEMEL_TOKEN",
                tenant == null ? "" : tenant.client(),
                "SEMEL_TENANT",
                tenant == null ? Marks.name("tenant") : tenant.name(),
                "SEMEL_KEY",
                Marks.text("key"),
                "NO_PROXY",
                "127.0.0.1");
    }

    private static Path generated(String generator) throws IOException {
        Path client = TARGET.resolve(generator);
        Scratch.delete(client);
        Interpreter.Ended ended = JAVA.run(
                TARGET,
                Map.of(),
                List.of(
                        "-jar",
                        System.getProperty("semel.generator.jar"),
                        "generate",
                        "-g",
                        generator,
                        "-i",
                        DOCUMENT.toString(),
                        "-o",
                        client.toString()));
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        return client;
    }

    /** The interpreter itself if it has the client's libraries. Otherwise one in a new environment with these libraries. */
    private static Interpreter withLibraries(Interpreter python, Path client) throws IOException {
        String imports = "import dateutil, typing_extensions, urllib3; from pydantic import field_validator";
        if (python.run(client, Map.of(), List.of("-c", imports)).exitCode() == 0) {
            return python;
        }
        Path folder = TARGET.resolve("venv");
        Scratch.delete(folder);
        Interpreter.Ended made = python.run(client, Map.of(), List.of("-m", "venv", folder.toString()));
        assertThat(made.exitCode()).as(made.output()).isZero();
        Interpreter own = new Interpreter(folder.resolve("bin/python").toString());
        Interpreter.Ended installed =
                own.run(client, Map.of(), List.of("-m", "pip", "install", "-q", "-r", "requirements.txt"));
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        return own;
    }
}
