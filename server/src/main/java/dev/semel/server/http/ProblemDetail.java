// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error response as defined by RFC 9457.
 *
 * @param detail describes this occurrence; it contains no secrets, and of the request at most a name
 * @param field the invalid field, if any
 */
public record ProblemDetail(
        ProblemType type, String detail, @Nullable String field, Map<String, String> headers) {
    private static final String MEDIA_TYPE = "application/problem+json";
    private static final int LONGEST_FIELD = 200;

    public ProblemDetail {
        headers = Map.copyOf(headers);
        if (field != null && field.length() > LONGEST_FIELD) {
            field = field.substring(
                    0, Character.isHighSurrogate(field.charAt(LONGEST_FIELD - 1)) ? LONGEST_FIELD - 1 : LONGEST_FIELD);
        }
    }

    public static ProblemDetail of(ProblemType type, String detail) {
        return new ProblemDetail(type, detail, null, Map.of());
    }

    /** Creates a problem for an invalid field of the request. */
    public static ProblemDetail field(String field, String detail) {
        return new ProblemDetail(ProblemType.INVALID_FIELD, detail, field, Map.of());
    }

    /** Returns a copy with this header. */
    public ProblemDetail with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ProblemDetail(type, detail, field, more);
    }

    /** Returns a copy with a Retry-After header. */
    public ProblemDetail retryAfter(Duration wait) {
        return with("Retry-After", HttpAnswer.seconds(wait));
    }

    public ProblemException asException() {
        return new ProblemException(this);
    }

    /** Returns the response body. */
    public JsonObject json() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("type", new JsonString(type.url()));
        members.put("title", new JsonString(type.title()));
        members.put("status", JsonNumber.of(type.status()));
        members.put("detail", new JsonString(detail));
        if (field != null) {
            members.put("field", new JsonString(field));
        }
        return new JsonObject(members);
    }

    public HttpAnswer answer() {
        HttpAnswer answer = new HttpAnswer(type.status(), MEDIA_TYPE, json().utf8(), Map.of());
        for (Map.Entry<String, String> header : headers.entrySet()) {
            answer = answer.with(header.getKey(), header.getValue());
        }
        return answer;
    }
}
