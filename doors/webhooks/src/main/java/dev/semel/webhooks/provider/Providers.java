// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** All providers that there are. A new one is one class, and one line here. */
public final class Providers {
    private static final Map<String, Kind> KINDS = new TreeMap<>(Map.ofEntries(
            kind("paypal", PayPal::new, "webhook_id", "certificate", "tolerance_seconds", "future_tolerance_seconds"),
            kind("stripe", Stripe::new, "secrets", "tolerance_seconds", "future_tolerance_seconds")));

    private Providers() {}

    /** The names of the built-in ones; any other name can be a {@code custom} one. */
    public static Set<String> names() {
        return new TreeSet<>(KINDS.keySet());
    }

    /** The settings that one of them has. */
    public static Set<String> settings(String type) {
        return kind(type).settings();
    }

    /**
     * A provider of this type.
     *
     * @throws IllegalArgumentException if there is none of this name, or a setting is wrong
     */
    public static Provider of(String type, ProviderConfig config) {
        Kind kind = kind(type);
        config.check(type, kind.settings());
        return kind.make().apply(config);
    }

    private static Kind kind(String type) {
        Kind kind = KINDS.get(type);
        if (kind == null) {
            throw new IllegalArgumentException("There is no webhook provider %s; there are %s, and any other sender is"
                            .formatted(type, String.join(", ", KINDS.keySet()))
                    + " of the type custom");
        }
        return kind;
    }

    private static Map.Entry<String, Kind> kind(
            String type, Function<ProviderConfig, Provider> make, String... settings) {
        return Map.entry(type, new Kind(make, Set.of(settings)));
    }

    private record Kind(Function<ProviderConfig, Provider> make, Set<String> settings) {}
}
