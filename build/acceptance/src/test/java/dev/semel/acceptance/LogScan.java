// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class if the output of any server shows a key, a body, a token or a secret. */
final class LogScan implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        for (Path output : SemelProcess.outputs()) {
            if (Files.exists(output)) {
                assertThat(Marks.leakIn(Files.readString(output, StandardCharsets.ISO_8859_1)))
                        .as("private data in a server's output")
                        .isEmpty();
            }
        }
    }
}
