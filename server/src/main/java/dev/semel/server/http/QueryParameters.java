// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Strictly parsed query parameters. */
final class QueryParameters {
    private static final QueryParameters NONE = new QueryParameters(Map.of());

    private final Map<String, List<String>> values;

    private QueryParameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /**
     * Parses all parameters.
     *
     * @param raw the query as sent; null if the URL has none
     * @throws ProblemException if an escape is broken or the text is not UTF-8
     */
    static QueryParameters of(@Nullable String raw) {
        if (raw == null || raw.isEmpty()) {
            return NONE;
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : raw.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = PercentDecoder.query(equals < 0 ? pair : pair.substring(0, equals))
                    .orElseThrow(() -> broken("query", "The name of a query parameter"));
            String value = PercentDecoder.query(equals < 0 ? "" : pair.substring(equals + 1))
                    .orElseThrow(() -> broken(name, "The query parameter given in the member \"field\""));
            values.computeIfAbsent(name, first -> new ArrayList<>(1)).add(value);
        }
        return new QueryParameters(values);
    }

    private static ProblemException broken(String field, String what) {
        return ProblemDetail.field(field, what + " has a broken percent-escape, or is not UTF-8")
                .asException();
    }

    /** Refuses parameters with other names. */
    void only(Set<String> names) {
        for (String name : values.keySet()) {
            if (!names.contains(name)) {
                throw ProblemDetail.field(
                                name,
                                names.isEmpty()
                                        ? "This path has no query parameters"
                                        : "Unknown query parameter. Known ones are "
                                                + String.join(", ", new TreeSet<>(names)))
                        .asException();
            }
        }
    }

    /** Returns a parameter that may be given once. */
    Optional<String> one(String name) {
        List<String> all = values.getOrDefault(name, List.of());
        if (all.size() > 1) {
            throw ProblemDetail.field(name, "The parameter %s must not be given more than once".formatted(name))
                    .asException();
        }
        return all.stream().findFirst();
    }
}
