// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The required behaviour of everything that handles the Idempotency-Key header. The cases are JSON files in this package. Its
 * {@code README.md} describes their format and the application that the tests need.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> cases() {
 *     return HttpCases.on(CaseTarget.filter(URI.create("http://127.0.0.1:8080")));
 * }
 * }</pre>
 */
public final class HttpCases {
    private static final List<String> FILES = List.of(
            "keys", "policies", "fingerprints", "bodies", "statuses", "answers", "progress", "identity", "failures");

    private HttpCases() {}

    /** One test for each case. */
    public static Stream<DynamicTest> on(CaseTarget target) {
        return all().map(one -> DynamicTest.dynamicTest(one.name(), () -> {
            String id = "c" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
            try (CaseRun run = new CaseRun(target)) {
                run.run(one.steps(id));
            }
        }));
    }

    static Stream<Case> all() {
        return FILES.stream().flatMap(HttpCases::cases);
    }

    private static Stream<Case> cases(String file) {
        return ((JsonArray) Json.parse(resource(file + ".json")))
                .elements().stream().flatMap(one -> Case.of(one).stream());
    }

    static byte[] resource(String name) {
        try (InputStream in = HttpCases.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource %s does not exist".formatted(name));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
