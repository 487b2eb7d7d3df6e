// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Gets the document from the server under test. */
final class OpenApiSource {
    private static final Map<String, OpenApi> PARSED = new ConcurrentHashMap<>();

    private OpenApiSource() {}

    /** Requested once, immediately. */
    static Supplier<OpenApi> read(SemelProcess process) {
        OpenApi document = of(process);
        return () -> document;
    }

    static OpenApi of(SemelProcess process) {
        try {
            Answer answer = Client.exchange(process.uri() + "/openapi.yaml", Ask.get("/openapi.yaml"));
            assertThat(answer.status()).as("GET /openapi.yaml").isEqualTo(200);
            // All servers of one configuration have the same document, and its validators take long to make.
            return PARSED.computeIfAbsent(answer.text(), OpenApi::parse);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
