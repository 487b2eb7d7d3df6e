// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonLimits;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads deliveries as JSON, and finds values in it. */
final class DeliveryJson {
    /** The same limits as on the server's other routes. The number of values is limited because each one takes memory. */
    private static final JsonLimits LIMITS = new JsonLimits(128, 16 << 20, 100_000);

    private static final String FORM = "application/x-www-form-urlencoded";

    private DeliveryJson() {}

    /**
     * The body as JSON. A form becomes an object of strings; a repeated field becomes an array of strings. The body is parsed
     * only once for each request.
     */
    static Json of(WebhookRequest request) {
        return isForm(request) ? form(request) : json(request);
    }

    /**
     * Whether the body is a form, by its {@code Content-Type}. That header is usually not signed, so a body that starts
     * like JSON is never read as a form: otherwise an attacker could turn signed bytes into another event.
     */
    static boolean isForm(WebhookRequest request) {
        boolean named = request.headers()
                .one("Content-Type")
                .map(type -> type.toLowerCase(Locale.ROOT).startsWith(FORM))
                .orElse(false);
        return named && !startsAsJson(request.body());
    }

    private static boolean startsAsJson(byte[] body) {
        for (byte next : body) {
            if (next != ' ' && next != '\t' && next != '\r' && next != '\n') {
                return next == '{' || next == '[' || next == '"';
            }
        }
        return false;
    }

    /** The body as JSON regardless of its {@code Content-Type}. The body is parsed only once for each request. */
    static Json json(WebhookRequest request) {
        return request.cached(DeliveryJson.class, Json.class, () -> json(request.body()));
    }

    static Json json(byte[] body) {
        try {
            return Json.parse(body, LIMITS);
        } catch (JsonException e) {
            throw new BadDeliveryException(
                    "The body is not valid JSON: %s, at byte %d".formatted(e.reason(), e.offset()));
        }
    }

    private static Json form(WebhookRequest request) {
        Map<String, Json> members = new LinkedHashMap<>();
        try {
            Form.of(request).fields().forEach((name, values) -> {
                List<Json> strings = values.stream()
                        .map(value -> (Json) new JsonString(value))
                        .collect(Collectors.toList());
                members.put(name, strings.size() == 1 ? strings.get(0) : new JsonArray(strings));
            });
            return new JsonObject(members);
        } catch (IllegalArgumentException e) {
            throw new BadDeliveryException("The body is not a valid form: its encoding is wrong");
        }
    }

    /** The value at this path of member names and array indexes. */
    static Optional<Json> at(Json json, List<String> path) {
        Json found = json;
        for (String token : path) {
            Json next = null;
            if (found instanceof JsonObject object) {
                next = object.members().get(token);
            } else if (found instanceof JsonArray array && token.matches("0|[1-9][0-9]{0,6}")) {
                int index = Integer.parseInt(token);
                next = index < array.elements().size() ? array.elements().get(index) : null;
            }
            if (next == null) {
                return Optional.empty();
            }
            found = next;
        }
        return Optional.of(found);
    }

    static Optional<Json> at(Json json, String... path) {
        return at(json, List.of(path));
    }

    static Optional<String> text(Json json, String... path) {
        return at(json, path).flatMap(DeliveryJson::text);
    }

    static Optional<String> text(Json json, JsonPointer pointer) {
        return at(json, pointer.tokens()).flatMap(DeliveryJson::text);
    }

    /** The text of a value that can be an id: a non-empty string, a number or a boolean. */
    static Optional<String> text(Json json) {
        if (json instanceof JsonString string) {
            return string.value().isEmpty() ? Optional.empty() : Optional.of(string.value());
        }
        if (json instanceof JsonNumber number) {
            return Optional.of(number.canonicalText());
        }
        return json instanceof JsonBoolean flag ? Optional.of(Boolean.toString(flag.value())) : Optional.empty();
    }

    /** The elements of the array at this path. Empty if there is no array. */
    static List<Json> elements(Json json, String... path) {
        return at(json, path)
                .filter(JsonArray.class::isInstance)
                .map(array -> ((JsonArray) array).elements())
                .orElse(List.of());
    }

    /** @param required the members or headers that would be a key */
    static BadDeliveryException withoutKey(String required) {
        return new BadDeliveryException("The event has no deduplication key: it requires " + required);
    }
}
