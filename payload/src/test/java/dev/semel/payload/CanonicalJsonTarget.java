// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.CanonicalJson;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Any bytes are either a document with exactly one canonical form, or a {@link JsonException}. */
final class CanonicalJsonTarget {
    private CanonicalJsonTarget() {}

    static void accept(byte[] bytes) {
        Json json;
        try {
            json = Json.parse(bytes);
        } catch (JsonException e) {
            assertThat(e.offset()).isBetween(0, bytes.length);
            return;
        }
        byte[] canonical = json.canonical();
        assertThat(CanonicalJson.of(canonical)).isEqualTo(canonical);
        assertThat(Json.parse(canonical)).isEqualTo(json);
        assertThat(Json.parse(json.utf8()).canonical()).isEqualTo(canonical);
        List<JsonNumber> numbers = new ArrayList<>();
        collect(json, numbers);
        for (JsonNumber one : numbers.subList(0, Math.min(20, numbers.size()))) {
            assertThat(one.value().signum() == 0 ? BigDecimal.ZERO : new BigDecimal(one.text()))
                    .isEqualByComparingTo(one.value());
            for (JsonNumber two : numbers.subList(0, Math.min(20, numbers.size()))) {
                assertThat(one.canonicalText().equals(two.canonicalText()))
                        .isEqualTo(one.value().compareTo(two.value()) == 0);
            }
        }
    }

    private static void collect(Json json, List<JsonNumber> numbers) {
        if (json instanceof JsonNumber number) {
            numbers.add(number);
        } else if (json instanceof JsonArray array) {
            array.elements().forEach(element -> collect(element, numbers));
        } else if (json instanceof JsonObject object) {
            object.members().values().forEach(value -> collect(value, numbers));
        }
    }
}
