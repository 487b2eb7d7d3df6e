// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The settings that belong to one type of provider. The provider type declares them. A new setting needs no change here,
 * unless it is a list ({@code LISTS}). A dot in a name, as in {@code signature.header}, separates sections in the file.
 */
record WebhookOptions(Map<String, List<SecretText>> values, Provider provider) {
    private static final Set<String> LISTS = Set.of("secrets", "public_keys", "allowed_origins", "key", "payment.when");

    private static final String HEADER = "header:";

    static Provider none(String type) {
        return Providers.of(type, ProviderConfig.none());
    }

    /** Returns whether the setting is a list in the file. */
    static boolean isList(String name) {
        return LISTS.contains(name);
    }

    static WebhookOptions read(String type, SettingsSection section) {
        Map<String, List<SecretText>> found = new LinkedHashMap<>();
        Map<String, SettingsSection> parts = new TreeMap<>();
        ProviderConfig config = ProviderConfig.none();
        for (String name : new TreeSet<>(Providers.settings(type))) {
            int point = name.indexOf('.');
            SettingsSection in =
                    point < 0 ? section : parts.computeIfAbsent(name.substring(0, point), section::section);
            List<String> texts = texts(name, in, name.substring(point + 1));
            if (!texts.isEmpty()) {
                found.put(name, texts.stream().map(SecretText::new).toList());
                config = config.with(name, texts.toArray(String[]::new));
            }
        }
        parts.values().forEach(SettingsSection::done);
        return new WebhookOptions(Map.copyOf(found), provider(type, config, section));
    }

    private static List<String> texts(String name, SettingsSection in, String key) {
        List<SettingValue> values =
                LISTS.contains(name) ? in.valuesOf(key) : in.value(key).stream().toList();
        return values.stream().map(value -> checked(name, value)).toList();
    }

    private static String checked(String name, SettingValue value) {
        return switch (name) {
            case "signature.prefix" -> value.text();
            case "items" -> pointer(value);
            case "key" ->
                value.text().startsWith(HEADER) && value.text().length() > HEADER.length()
                        ? value.text()
                        : pointer(value);
            default -> value.required();
        };
    }

    private static String pointer(SettingValue value) {
        if (!value.text().startsWith("/")) {
            throw value.wrong("must be a JSON pointer such as /event/id");
        }
        return value.text();
    }

    private static Provider provider(String type, ProviderConfig config, SettingsSection section) {
        try {
            return Providers.of(type, config);
        } catch (IllegalArgumentException e) {
            // Messages of providers name the setting and contain no secrets.
            String message = String.valueOf(e.getMessage());
            boolean named = Providers.settings(type).stream().anyMatch(message::startsWith);
            throw new ConfigException(named ? section.at(message) : section.here() + ": " + message);
        }
    }
}
