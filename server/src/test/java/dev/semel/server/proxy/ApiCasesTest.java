// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.claim.StalePolicy;
import dev.semel.http.ApiRules;
import dev.semel.http.cases.CaseRoute;
import dev.semel.http.cases.CaseServer;
import dev.semel.http.cases.CaseTarget;
import dev.semel.http.cases.HttpCases;
import dev.semel.server.InProcessServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs the shared cases through the proxy, with a service in Java and one in Python. */
class ApiCasesTest {
    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    @TestFactory
    Stream<DynamicTest> beforeAServiceInJava() throws IOException {
        CaseServer service = new CaseServer();
        open.add(service);
        return cases(service.uri());
    }

    @TestFactory
    Stream<DynamicTest> beforeAServiceInPython() throws IOException {
        Path script = folder.resolve("case_app.py");
        try (InputStream in = Objects.requireNonNull(ApiCasesTest.class.getResourceAsStream("case_app.py"))) {
            Files.copy(in, script);
        }
        Process process = python(script);
        assumeTrue(process != null, "python3 is not installed: the cases do not run before a service in Python");
        open.add(process::destroyForcibly);
        BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
        return cases(URI.create("http://127.0.0.1:" + output.readLine()));
    }

    private static Process python(Path script) {
        try {
            return new ProcessBuilder("python3", script.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notInstalled) {
            return null;
        }
    }

    private Stream<DynamicTest> cases(URI service) {
        InProcessServer proxy = InProcessServer.in(folder, yaml(service), Map.of());
        open.add(0, proxy);
        return HttpCases.on(new CaseTarget(proxy.uri(""), service));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private static String yaml(URI service) {
        StringBuilder yaml =
                new StringBuilder("limits: {body_bytes: %d}%napi:%n  routes:%n".formatted(CaseRoute.maxRequestBytes()));
        CaseRoute.all()
                .forEach(route ->
                        yaml.append("    - ").append(route(route, service)).append('\n'));
        // A filter passes requests without a route on. The proxy needs a route with a target for them.
        return yaml.append("    - {path: \"/free/**\", key: off, target: \"%s\"}%n".formatted(service))
                .toString();
    }

    private static String route(CaseRoute route, URI service) {
        ApiRules rules = route.rules();
        return """
                {path: "%s", methods: %s, target: "%s", key: %s, profile: %s, in_progress_status: %d, mismatch_status: %d, \
                missing_key_status: %d, store: %s, on_stale: %s, release: %s, replay_headers: %s, answer_bytes: %d, \
                wait_seconds: %d}""".formatted(
                        route.path(),
                        route.methods(),
                        service,
                        name(rules.key()),
                        rules.profile().name(),
                        rules.profile().inProgress(),
                        rules.profile().mismatch(),
                        rules.profile().missing(),
                        name(rules.store()),
                        rules.terms().onStale() == StalePolicy.PARK ? "park" : "rerun",
                        rules.released(),
                        // The route has no getter for additional replayed headers. The cases use one.
                        route.path().toString().startsWith("/tuned") ? "[X-Request-Id]" : "[]",
                        rules.maxAnswerBytes(),
                        rules.longestWait().toSeconds());
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
