// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonLimits;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** From a body to JSON, strictly. */
public final class JsonBodies {
    private static final String USUAL = "application/json";
    private static final String TWICE = "a name is there twice";
    private static final int LONGEST_NAME = 100;

    /** A document of half a million values would take a third of the memory that the launcher gives the server. */
    private static final JsonLimits LIMITS = new JsonLimits(128, 16 << 20, 100_000);

    /** About what a value takes once it is parsed: itself, its text, and its place in an object or a list. */
    private static final int BYTES_OF_A_VALUE = 160;

    /** What is made of a body on its way to the database: its text, its canonical form, what is stored. */
    private static final int COPIES = 2;

    private JsonBodies() {}

    /**
     * How much memory a body takes beside its own bytes once it is parsed, at the most. Known before it is parsed: a value
     * needs a comma, a colon or a bracket before it.
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

    /** Refuses what says that it is something else; a body without a type is taken for JSON. */
    public static void requireJson(HttpServerRequest request) {
        RequestHeaders.single(request, HeaderNames.CONTENT_TYPE)
                .filter(type -> !type.equals(USUAL))
                .ifPresent(type -> {
                    String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
                    String essence = parts[0].strip();
                    boolean json = essence.equals(USUAL) || essence.endsWith("+json");
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
            throw (e.reason().startsWith(TWICE)
                            ? new ProblemDetail(
                                    problem.type(), problem.detail(), nameAt(body, e.offset()), problem.headers())
                            : problem)
                    .asException();
        }
    }

    /** The name whose opening quote is at this byte, as it was written. */
    private static String nameAt(byte[] body, int quote) {
        int end = quote + 1;
        while (end < body.length && end - quote <= LONGEST_NAME && body[end] != '"') {
            end += body[end] == '\\' ? 2 : 1;
        }
        int from = Math.min(quote + 1, body.length);
        return new String(body, from, Math.max(0, Math.min(end, body.length) - from), StandardCharsets.UTF_8);
    }
}
