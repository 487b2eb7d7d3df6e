// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A page of a list. It has one array, and at most one text, which is the cursor. */
record Page(List<JsonObject> items, Optional<String> cursor) {

    static Page of(Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        List<JsonArray> arrays = members(answer, JsonArray.class);
        List<String> texts = members(answer, String.class);
        assertThat(arrays).as("%s", answer).hasSize(1);
        assertThat(texts).as("%s", answer).hasSizeLessThanOrEqualTo(1);
        return new Page(
                arrays.get(0).stream().map(JsonObject.class::cast).toList(),
                texts.stream().findFirst());
    }

    private static <T> List<T> members(Answer answer, Class<T> type) {
        JsonObject json = answer.json();
        return json.fieldNames().stream()
                .map(json::getValue)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** All items of a list, page by page, in their order. */
    static List<JsonObject> all(Caller caller, String path, int limit) {
        List<JsonObject> all = new ArrayList<>();
        Page page = of(caller.get(path + "&limit=" + limit));
        while (!page.items.isEmpty()) {
            assertThat(page.items).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page.items);
            if (page.cursor.isEmpty()) {
                return all;
            }
            String after = URLEncoder.encode(page.cursor.get(), StandardCharsets.UTF_8);
            page = of(caller.get(path + "&limit=%d&after=%s".formatted(limit, after)));
        }
        return all;
    }
}
