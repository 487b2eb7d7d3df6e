// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.content.json.Json;
import dev.semel.content.json.JsonArray;
import dev.semel.content.json.JsonBoolean;
import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lists that are read page by page, and single things that are looked up by their id. */
public final class Pages {
    private static final int USUAL_LIMIT = 100;
    private static final int LARGEST_LIMIT = 1_000;

    private Pages() {}

    /** Reads a page from behind a position. */
    public interface Source<P> {
        CompletionStage<P> read(@Nullable String after, int limit);
    }

    /** The page that {@code after} and {@code limit} ask for. */
    public static <P> CompletionStage<P> read(Exchange exchange, Source<P> source) {
        int limit = exchange.query("limit").map(Pages::limit).orElse(USUAL_LIMIT);
        String after = exchange.query("after").filter(text -> !text.isEmpty()).orElse(null);
        try {
            return source.read(after, limit);
        } catch (IllegalArgumentException e) {
            throw Problem.field("after", "The parameter after must be a cursor of an earlier page")
                    .asException();
        }
    }

    private static int limit(String text) {
        if (text.matches("[0-9]{1,4}")) {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= LARGEST_LIMIT) {
                return limit;
            }
        }
        throw Problem.field("limit", "The parameter limit must be 1 to %d".formatted(LARGEST_LIMIT))
                .asException();
    }

    /**
     * A page.
     *
     * @param unsettled whether there are items after these that cannot be shown yet
     */
    public static Answer answer(String name, JsonArray items, String cursor, boolean more, boolean unsettled) {
        Map<String, Json> body = new LinkedHashMap<>();
        body.put(name, items);
        body.put("next", new JsonString(cursor));
        body.put("more", new JsonBoolean(more));
        body.put("unsettled", new JsonBoolean(unsettled));
        return Answer.json(200, new JsonObject(body));
    }

    /** What is no id is the id of nothing. */
    public static UUID uuid(String text) {
        if (!text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
            throw nothing();
        }
        return UUID.fromString(text);
    }

    public static ProblemException nothing() {
        return Problem.of(ProblemType.NOT_FOUND, "There is nothing by this id").asException();
    }
}
