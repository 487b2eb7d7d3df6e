// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;

/** JSON as it is easiest to read in a test: single quotes are double ones. */
final class TestJson {
    private TestJson() {}

    static Json json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
