// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** Gets the document from the server under test. */
final class OpenApiSource {
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
            return OpenApi.parse(answer.text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
