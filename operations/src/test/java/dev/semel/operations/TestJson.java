// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;

/** Parses JSON with single quotes, which is easier to read in a test. */
final class TestJson {
    private TestJson() {}

    static Json json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
