// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.journal.page.Page;
import dev.semel.journal.page.PageBack;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonString;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
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
    public interface Source<T> {
        CompletionStage<Page<T>> read(@Nullable String after, int limit, int maxBytes);
    }

    /** Finds where a page of the last items begins. */
    public interface Start {
        CompletionStage<PageBack> back(@Nullable String until, int items);
    }

    /**
     * Answers with the page selected by the query parameters: {@code after} and {@code limit}, or {@code last} and {@code
     * before} for the newest items. The available memory also limits its size.
     *
     * @param name the member that contains the items
     * @param item an item as JSON
     */
    public static <T> CompletionStage<HttpAnswer> answer(
            RequestContext context, String name, Start start, Source<T> source, Function<T, byte[]> item) {
        Optional<Integer> last = context.query("last").map(text -> count("last", text));
        String before = text(context, "before");
        String after = text(context, "after");
        if (last.isPresent() ? after != null || context.query("limit").isPresent() : before != null) {
            throw ProblemDetail.field(
                            last.isPresent() ? "last" : "before",
                            "Give either after and limit, or last and, with it, before")
                    .asException();
        }
        int limit = last.or(() -> context.query("limit").map(text -> count("limit", text)))
                .orElse(DEFAULT_LIMIT);
        int maxBytes = context.charge().takeForAnswer(LARGEST_PAGE);
        try {
            if (last.isEmpty()) {
                return source.read(after, limit, maxBytes).thenApply(page -> answer(name, page, item, null));
            }
            return start.back(before, limit)
                    .thenCompose(from -> last(from, before, source, maxBytes)
                            .thenApply(page -> answer(
                                    name,
                                    page,
                                    item,
                                    from.after().<Json>map(JsonString::new).orElse(JsonNull.NULL))));
        } catch (IllegalArgumentException e) {
            throw ProblemDetail.field(
                            last.isPresent() ? "before" : "after",
                            "The parameter %s must be a cursor returned by an earlier page"
                                    .formatted(last.isPresent() ? "before" : "after"))
                    .asException();
        }
    }

    private static <T> CompletionStage<Page<T>> last(
            PageBack from, @Nullable String before, Source<T> source, int maxBytes) {
        return from.items() == 0 && before != null
                ? CompletableFuture.completedStage(new Page<>(List.of(), before, true, false))
                : source.read(from.after().orElse(null), Math.max(1, from.items()), maxBytes);
    }

    private static @Nullable String text(RequestContext context, String name) {
        return context.query(name).filter(text -> !text.isEmpty()).orElse(null);
    }

    private static int count(String name, String text) {
        if (text.matches("[0-9]{1,4}")) {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= LARGEST_LIMIT) {
                return limit;
            }
        }
        throw ProblemDetail.field(name, "The parameter %s must be a number from 1 to %d".formatted(name, LARGEST_LIMIT))
                .asException();
    }

    /** @param previous the cursor for the page before, if it was asked for */
    private static <T> HttpAnswer answer(String name, Page<T> page, Function<T, byte[]> item, @Nullable Json previous) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("{\"%s\":[".formatted(name).getBytes(UTF_8));
        int start = out.size();
        page.items().forEach(one -> {
            if (out.size() > start) {
                out.write(',');
            }
            out.writeBytes(item.apply(one));
        });
        out.writeBytes("],\"next\":".getBytes(UTF_8));
        out.writeBytes(new JsonString(page.cursor()).utf8());
        if (previous != null) {
            out.writeBytes(",\"previous\":".getBytes(UTF_8));
            out.writeBytes(previous.utf8());
        }
        out.writeBytes(",\"more\":%s,\"unsettled\":%s}"
                .formatted(page.more(), page.unsettled())
                .getBytes(UTF_8));
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
