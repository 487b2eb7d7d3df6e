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
 * What a resource answers.
 *
 * @param mediaType null for an answer of another service, which has all its headers already
 * @param body not copied: it is made for this answer alone, or never changed
 * @param shared whether all answers have the same body, which takes no memory for each
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared, and made for one answer.
public record HttpAnswer(
        int status, @Nullable String mediaType, byte[] body, List<HeaderLine> headers, boolean shared) {
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

    public static HttpAnswer json(int status, Json body) {
        return json(status, body.utf8());
    }

    /** An answer whose body is this JSON document. */
    public static HttpAnswer json(int status, byte[] utf8) {
        return new HttpAnswer(status, JSON, utf8, Map.of());
    }

    /** An answer as another service gave it. */
    public static HttpAnswer of(ApiAnswer answer) {
        return new HttpAnswer(answer.status(), null, answer.body(), answer.headers(), false);
    }

    /** As this, with a header in place of others of its name. */
    public HttpAnswer with(String name, String value) {
        List<HeaderLine> more = new ArrayList<>(headers);
        more.removeIf(line -> line.name().equalsIgnoreCase(name));
        more.add(new HeaderLine(name, value));
        return new HttpAnswer(status, mediaType, body, more, shared);
    }

    /** As this, with the time after which trying again makes sense. */
    public HttpAnswer retryAfter(Duration wait) {
        return with("Retry-After", seconds(wait));
    }

    /** Whole seconds, at least one: what Retry-After takes. */
    static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }
}
