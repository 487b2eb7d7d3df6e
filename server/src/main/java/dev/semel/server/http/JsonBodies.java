// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonLimits;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Parses request bodies as strict JSON. */
public final class JsonBodies {
    private static final String JSON = "application/json";
    private static final int LONGEST_NAME = 100;

    /**
     * Bounds the parsed size. A document of 500,000 values would need a third of the memory that the launcher gives the
     * server.
     */
    private static final JsonLimits LIMITS = new JsonLimits(128, 16 << 20, 100_000);

    /** Estimated memory of one parsed value: the object, its text, and its entry in an object or array. */
    private static final int BYTES_OF_A_VALUE = 160;

    /** Copies of a body that processing creates: its text and its canonical form. */
    private static final int COPIES = 2;

    private JsonBodies() {}

    /**
     * Returns an upper bound for the memory that parsing this body needs, in addition to the body itself. It is known
     * before parsing, because every value follows a comma, a colon or an opening bracket.
     */
    public static long cost(byte[] body) {
        int values = 1;
        for (byte one : body) {
            if (one == ',' || one == ':' || one == '[' || one == '{') {
                values++;
            }
        }
        return (long) COPIES * body.length + (long) BYTES_OF_A_VALUE * Math.min(values, LIMITS.maxValues());
    }

    /** Rejects a Content-Type other than JSON. A body without a Content-Type is read as JSON. */
    public static void requireJson(HttpServerRequest request) {
        RequestHeaders.single(request, HeaderNames.CONTENT_TYPE)
                .filter(type -> !type.equals(JSON))
                .ifPresent(type -> {
                    String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
                    String essence = parts[0].strip();
                    boolean json = essence.equals(JSON) || essence.endsWith("+json");
                    boolean utf8 = Arrays.stream(parts)
                            .skip(1)
                            .map(String::strip)
                            .filter(parameter -> parameter.startsWith("charset="))
                            .allMatch(parameter -> parameter.replace("\"", "").equals("charset=utf-8"));
                    if (!json || !utf8) {
                        throw ProblemDetail.of(
                                        ProblemType.UNSUPPORTED_MEDIA_TYPE,
                                        "Send Content-Type: application/json; the body must be JSON in UTF-8")
                                .asException();
                    }
                });
    }

    public static Json parse(byte[] body) {
        try {
            return Json.parse(body, LIMITS);
        } catch (JsonException e) {
            ProblemDetail problem = ProblemDetail.of(
                    ProblemType.INVALID_JSON,
                    "The body is not valid JSON: %s, at byte %d".formatted(e.reason(), e.offset()));
            throw (e.isDuplicateName()
                            ? new ProblemDetail(
                                    problem.type(), problem.detail(), nameAt(body, e.offset()), problem.headers())
                            : problem)
                    .asException();
        }
    }

    /** Returns the raw member name whose opening quote is at this byte. */
    private static String nameAt(byte[] body, int quote) {
        int end = quote + 1;
        while (end < body.length && end - quote <= LONGEST_NAME && body[end] != '"') {
            end += body[end] == '\\' ? 2 : 1;
        }
        int from = Math.min(quote + 1, body.length);
        return new String(body, from, Math.max(0, Math.min(end, body.length) - from), StandardCharsets.UTF_8);
    }
}
