// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.payload.json.JsonString;
import java.io.ByteArrayOutputStream;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads lists page by page, and parses ids of single items. */
public final class Pagination {
    private static final int DEFAULT_LIMIT = 100;
    private static final int LARGEST_LIMIT = 1_000;

    /**
     * Maximum bytes per page. An item that would exceed it goes to the next page, unless it is the first of its page.
     */
    private static final int LARGEST_PAGE = 4 << 20;

    private Pagination() {}

    /** Reads a page after a position, limited by items and approximately by bytes. */
    public interface Source<P> {
        CompletionStage<P> read(@Nullable String after, int limit, int maxBytes);
    }

    /**
     * Reads the page selected by the query parameters {@code after} and {@code limit}. The available memory also limits
     * its size.
     */
    public static <P> CompletionStage<P> read(RequestContext context, Source<P> source) {
        int limit = context.query("limit").map(Pagination::limit).orElse(DEFAULT_LIMIT);
        String after = context.query("after").filter(text -> !text.isEmpty()).orElse(null);
        try {
            return source.read(after, limit, context.charge().takeForAnswer(LARGEST_PAGE));
        } catch (IllegalArgumentException e) {
            throw ProblemDetail.field("after", "The parameter after must be a cursor returned by an earlier page")
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
        throw ProblemDetail.field("limit", "The parameter limit must be a number from 1 to %d".formatted(LARGEST_LIMIT))
                .asException();
    }

    /**
     * Creates the response for a page.
     *
     * @param items JSON documents
     * @param unsettled whether later items exist that cannot be shown yet
     */
    public static HttpAnswer answer(String name, Stream<byte[]> items, String cursor, boolean more, boolean unsettled) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("{\"%s\":[".formatted(name).getBytes(UTF_8));
        int start = out.size();
        items.forEach(item -> {
            if (out.size() > start) {
                out.write(',');
            }
            out.writeBytes(item);
        });
        out.writeBytes("],\"next\":".getBytes(UTF_8));
        out.writeBytes(new JsonString(cursor).utf8());
        out.writeBytes(
                ",\"more\":%s,\"unsettled\":%s}".formatted(more, unsettled).getBytes(UTF_8));
        return HttpAnswer.json(200, out.toByteArray());
    }

    /** Parses an id. Text that is not a UUID is answered like an unknown id. */
    public static UUID uuid(String text) {
        if (!text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
            throw notFound();
        }
        return UUID.fromString(text);
    }

    public static ProblemException notFound() {
        return ProblemDetail.of(ProblemType.NOT_FOUND, "No item with this id exists")
                .asException();
    }
}
