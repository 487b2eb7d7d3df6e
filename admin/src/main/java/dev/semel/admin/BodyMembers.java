// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The members of a request's body. Members that nobody reads are errors. */
final class BodyMembers {
    private final Map<String, Json> unread;

    BodyMembers(@Nullable Json body) {
        if (!(body instanceof JsonObject object)) {
            throw AdminException.field("", "The body must be a JSON object");
        }
        unread = new LinkedHashMap<>(object.members());
    }

    Optional<Json> any(String name) {
        return Optional.ofNullable(unread.remove(name));
    }

    Optional<String> text(String name, int max) {
        return any(name).map(value -> {
            if (value instanceof JsonString string
                    && !string.value().isEmpty()
                    && string.value().length() <= max
                    && string.value().chars().noneMatch(Character::isISOControl)) {
                return string.value();
            }
            throw AdminException.field(
                    "/" + name,
                    "%s must be a string of 1 to %d characters without control characters".formatted(name, max));
        });
    }

    String requiredText(String name, int max) {
        return text(name, max).orElseThrow(() -> missing(name));
    }

    long requiredWhole(String name) {
        Json value = any(name).orElseThrow(() -> missing(name));
        if (value instanceof JsonNumber number && number.isWhole()) {
            BigDecimal whole = number.value();
            if (whole.signum() >= 0 && whole.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                return whole.longValueExact();
            }
        }
        throw AdminException.field("/" + name, name + " must be a whole number");
    }

    private static AdminException missing(String name) {
        return AdminException.field("/" + name, name + " is required");
    }

    void done() {
        unread.keySet().stream().findFirst().ifPresent(name -> {
            throw AdminException.field("/" + name, "The body has an unknown member");
        });
    }
}
