// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.content.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a resource answers.
 *
 * @param body not copied: it is made for this answer alone, or never changed
 * @param shared whether all answers have the same body, which takes no memory for each
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared, and made for one answer.
public record Answer(int status, String mediaType, byte[] body, Map<String, String> headers, boolean shared) {
    private static final String JSON = "application/json";

    public Answer(int status, String mediaType, byte[] body, Map<String, String> headers) {
        this(status, mediaType, body, headers, false);
    }

    public static Answer json(int status, Json body) {
        return json(status, body.utf8());
    }

    /** An answer whose body is this JSON document. */
    public static Answer json(int status, byte[] utf8) {
        return new Answer(status, JSON, utf8, Map.of());
    }

    /** As this, with a header. */
    public Answer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, mediaType, body, more, shared);
    }

    /** As this, with the time after which trying again makes sense. */
    public Answer retryAfter(Duration wait) {
        return with("Retry-After", seconds(wait));
    }

    /** Whole seconds, at least one: what Retry-After takes. */
    static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }
}
