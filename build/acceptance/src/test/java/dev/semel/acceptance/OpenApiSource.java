// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** Where the document comes from: the server that is asked. */
final class OpenApiSource {
    private OpenApiSource() {}

    /** Asked for once, at once. */
    static Supplier<OpenApi> read(ServerProcess process) {
        OpenApi document = of(process);
        return () -> document;
    }

    static OpenApi of(ServerProcess process) {
        try {
            Answer answer = Client.exchange(process.uri() + "/openapi.yaml", Ask.get("/openapi.yaml"));
            assertThat(answer.status()).as("GET /openapi.yaml").isEqualTo(200);
            return OpenApi.parse(answer.text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
