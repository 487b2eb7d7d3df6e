// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import dev.semel.content.json.JsonArray;
import dev.semel.content.json.JsonBoolean;
import dev.semel.content.json.JsonException;
import dev.semel.content.json.JsonNumber;
import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonPointer;
import dev.semel.content.json.JsonString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reading what was delivered. */
final class Documents {
    private static final String FORM = "application/x-www-form-urlencoded";

    private Documents() {}

    /** The body as JSON; a form becomes an object of strings, a name that is there twice an array of them. */
    static Json of(WebhookRequest request) {
        return isForm(request) ? form(request.body()) : json(request.body());
    }

    static boolean isForm(WebhookRequest request) {
        return request.headers()
                .one("Content-Type")
                .map(type -> type.toLowerCase(Locale.ROOT).startsWith(FORM))
                .orElse(false);
    }

    static Json json(byte[] body) {
        try {
            return Json.parse(body);
        } catch (JsonException e) {
            throw new BadDeliveryException("Not a JSON document: %s, at byte %d".formatted(e.reason(), e.offset()));
        }
    }

    private static Json form(byte[] body) {
        Map<String, Json> members = new LinkedHashMap<>();
        try {
            Form.read(body).forEach((name, values) -> {
                List<Json> strings = values.stream()
                        .map(value -> (Json) new JsonString(value))
                        .collect(Collectors.toList());
                members.put(name, strings.size() == 1 ? strings.get(0) : new JsonArray(strings));
            });
            return new JsonObject(members);
        } catch (IllegalArgumentException e) {
            throw new BadDeliveryException("Not a form: it is not encoded as one");
        }
    }

    /** What stands at this path of member names and indexes, if anything does. */
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
        return at(json, path).flatMap(Documents::text);
    }

    static Optional<String> text(Json json, JsonPointer pointer) {
        return at(json, pointer.tokens()).flatMap(Documents::text);
    }

    /** A string that is not empty, a number by its value, or a boolean: what an id may be. */
    static Optional<String> text(Json json) {
        if (json instanceof JsonString string) {
            return string.value().isEmpty() ? Optional.empty() : Optional.of(string.value());
        }
        if (json instanceof JsonNumber number) {
            return Optional.of(number.canonicalText());
        }
        return json instanceof JsonBoolean flag ? Optional.of(Boolean.toString(flag.value())) : Optional.empty();
    }

    /** The elements of an array at this path; none if there is no array. */
    static List<Json> elements(Json json, String... path) {
        return at(json, path)
                .filter(JsonArray.class::isInstance)
                .map(array -> ((JsonArray) array).elements())
                .orElse(List.of());
    }

    static BadDeliveryException withoutKey(String where) {
        return new BadDeliveryException("No dedup key: an event needs " + where);
    }
}
