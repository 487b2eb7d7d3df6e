// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.payload.json.Json;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request of an operator, without any framework. The host has authenticated the actor.
 *
 * @param operator whether the actor may use routes for operators
 * @param path the variables of the route's path
 * @param query the query parameters, each given once
 * @param body null if there is none
 * @param actor who asks; recorded with decisions
 */
public record AdminRequest(
        String tenant,
        String actor,
        boolean operator,
        Map<String, String> path,
        Map<String, String> query,
        @Nullable Json body) {
    private static final int DEFAULT_LIMIT = 100;

    public AdminRequest {
        path = Map.copyOf(path);
        query = Map.copyOf(query);
    }

    /** A query parameter that is not empty. */
    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).filter(text -> !text.isEmpty());
    }

    int limit(int max) {
        return (int) whole("limit", 1, max)
                .orElse((long) Math.min(DEFAULT_LIMIT, max))
                .longValue();
    }

    Optional<Long> whole(String name, long min, long max) {
        return parameter(name).map(text -> {
            if (text.matches("[0-9]{1,18}")) {
                long value = Long.parseLong(text);
                if (value >= min && value <= max) {
                    return value;
                }
            }
            throw AdminException.field(
                    name, "The parameter %s must be a number from %d to %d".formatted(name, min, max));
        });
    }
}
