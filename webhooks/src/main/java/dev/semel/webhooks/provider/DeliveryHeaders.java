// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The headers of a delivery, with case-insensitive names. {@code toString()} shows no value. */
public final class DeliveryHeaders {
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    private DeliveryHeaders() {}

    public static DeliveryHeaders of(Map<String, List<String>> headers) {
        DeliveryHeaders made = new DeliveryHeaders();
        headers.forEach((name, values) -> made.values
                .computeIfAbsent(name.toLowerCase(Locale.ROOT), lower -> new ArrayList<>())
                .addAll(values));
        return made;
    }

    /** Headers with one value each. */
    public static DeliveryHeaders single(Map<String, String> headers) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        headers.forEach((name, value) -> lists.put(name, List.of(value)));
        return of(lists);
    }

    /** The value of a header that is present exactly once and not empty. A repeated header is ambiguous, so it is ignored. */
    public Optional<String> one(String name) {
        List<String> found = values.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        return found.size() == 1 && !found.get(0).isEmpty() ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** The value of the first of these headers that has one. */
    public Optional<String> oneOf(String... names) {
        for (String name : names) {
            Optional<String> value = one(name);
            if (value.isPresent()) {
                return value;
            }
        }
        return Optional.empty();
    }

    /** The total number of characters in names and values. */
    public int size() {
        return values.entrySet().stream()
                .mapToInt(header -> header.getValue().stream()
                        .mapToInt(value -> header.getKey().length() + value.length())
                        .sum())
                .sum();
    }

    /** All headers, with names in lower case. */
    public Map<String, List<String>> all() {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, list) -> copy.put(name, List.copyOf(list)));
        return copy;
    }

    @Override
    public String toString() {
        return values.size() + " headers";
    }
}
