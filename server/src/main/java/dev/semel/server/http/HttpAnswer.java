// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.http.ApiAnswer;
import dev.semel.http.HeaderLine;
import dev.semel.payload.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response to an HTTP request.
 *
 * @param mediaType null for a response of a proxied service, which already has all its headers
 * @param body not copied; it must not change afterwards
 * @param shared whether all responses share this body array, so that it needs no memory of its own
 * @param undelivered runs once, on the event loop, if the response was not sent completely
 */
@SuppressWarnings("ArrayRecordComponent") // Responses are never compared.
public record HttpAnswer(
        int status,
        @Nullable String mediaType,
        byte[] body,
        List<HeaderLine> headers,
        boolean shared,
        Runnable undelivered) {
    private static final String JSON = "application/json";

    public HttpAnswer {
        headers = List.copyOf(headers);
    }

    public HttpAnswer(int status, String mediaType, byte[] body, Map<String, String> headers) {
        this(status, mediaType, body, headers, false);
    }

    public HttpAnswer(int status, String mediaType, byte[] body, Map<String, String> headers, boolean shared) {
        this(
                status,
                mediaType,
                body,
                headers.entrySet().stream()
                        .map(header -> new HeaderLine(header.getKey(), header.getValue()))
                        .toList(),
                shared);
    }

    public HttpAnswer(int status, @Nullable String mediaType, byte[] body, List<HeaderLine> headers, boolean shared) {
        this(status, mediaType, body, headers, shared, () -> {});
    }

    public static HttpAnswer json(int status, Json body) {
        return json(status, body.utf8());
    }

    /** Creates a response with a JSON body. */
    public static HttpAnswer json(int status, byte[] utf8) {
        return new HttpAnswer(status, JSON, utf8, List.of(), false);
    }

    /** Wraps the response of a proxied service. */
    public static HttpAnswer of(ApiAnswer answer) {
        return new HttpAnswer(answer.status(), null, answer.body(), answer.headers(), false);
    }

    /** Returns a copy with this header. It replaces headers of the same name. */
    public HttpAnswer with(String name, String value) {
        return with(List.of(new HeaderLine(name, value)));
    }

    /** Returns a copy with these headers. Each replaces those of the same name. */
    public HttpAnswer with(List<HeaderLine> lines) {
        List<HeaderLine> more = new ArrayList<>(headers.size() + lines.size());
        for (HeaderLine old : headers) {
            if (lines.stream().noneMatch(line -> line.name().equalsIgnoreCase(old.name()))) {
                more.add(old);
            }
        }
        more.addAll(lines);
        return new HttpAnswer(status, mediaType, body, more, shared, undelivered);
    }

    /**
     * Returns a copy that undoes something if the response is not sent completely: the client has disconnected, does not read,
     * or there is no memory for the response. A response counts as sent when the operating system has all its bytes.
     */
    public HttpAnswer ifUndelivered(Runnable undo) {
        return new HttpAnswer(status, mediaType, body, headers, shared, undo);
    }

    /** Returns a copy with a Retry-After header. */
    public HttpAnswer retryAfter(Duration wait) {
        return with("Retry-After", seconds(wait));
    }

    /** Formats a duration for Retry-After: whole seconds, rounded up, at least one. */
    static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }
}
