// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A part of the settings file that has keys. Whatever was not asked for by the time of {@link #done} is unknown. */
final class SettingsSection {
    private final String file;
    private final String path;
    private final Map<?, ?> values;
    private final Set<String> known = new LinkedHashSet<>();

    SettingsSection(String file, String path, Map<?, ?> values) {
        this.file = file;
        this.path = path;
        this.values = values;
    }

    /** A key's full name, for messages. */
    String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Where the section itself is, for messages. */
    String here() {
        return file + ": " + path;
    }

    /** Where the key is, for messages. */
    String at(String key) {
        return file + ": " + pathOf(key);
    }

    Optional<SettingValue> value(String key) {
        known.add(key);
        Object found = values.get(key);
        if (found == null) {
            return Optional.empty();
        }
        if (!(found instanceof String text)) {
            throw new ConfigException(at(key) + " must be one value, not a list and not keys");
        }
        return Optional.of(new SettingValue(at(key), text));
    }

    /** The section of this name; an empty one if it is not there. */
    SettingsSection section(String key) {
        known.add(key);
        Object found = values.get(key);
        if (found == null || "".equals(found)) {
            return new SettingsSection(file, pathOf(key), Map.of());
        }
        if (!(found instanceof Map<?, ?> map)) {
            throw new ConfigException(at(key) + " must hold keys and values");
        }
        return new SettingsSection(file, pathOf(key), map);
    }

    /** Whether the key is there and holds keys itself. */
    boolean isSection(String key) {
        known.add(key);
        return values.get(key) instanceof Map<?, ?>;
    }

    /** All sections inside, by names that the user chose. */
    Map<String, SettingsSection> named() {
        Map<String, SettingsSection> all = new LinkedHashMap<>();
        for (Object key : values.keySet()) {
            all.put((String) key, section((String) key));
        }
        return all;
    }

    List<SettingsSection> sections(String key) {
        List<SettingsSection> all = new ArrayList<>();
        for (Object element : list(key)) {
            String name = pathOf(key) + "[" + all.size() + "]";
            if (!(element instanceof Map<?, ?> map)) {
                throw new ConfigException("%s: %s must hold keys and values".formatted(file, name));
            }
            all.add(new SettingsSection(file, name, map));
        }
        return all;
    }

    List<SettingValue> valuesOf(String key) {
        List<SettingValue> all = new ArrayList<>();
        for (Object element : list(key)) {
            String name = "%s[%d]".formatted(at(key), all.size());
            if (!(element instanceof String text)) {
                throw new ConfigException(name + " must be one value");
            }
            all.add(new SettingValue(name, text));
        }
        return all;
    }

    private List<?> list(String key) {
        known.add(key);
        Object found = values.get(key);
        if (found == null) {
            return List.of();
        }
        if (!(found instanceof List<?> list)) {
            throw new ConfigException(at(key) + " must be a list, such as [a, b]");
        }
        return list;
    }

    /** All that is known has been asked for. */
    void done() {
        for (Object key : values.keySet()) {
            String name = (String) key;
            if (!known.contains(name)) {
                throw new ConfigException("%s is unknown%s"
                        .formatted(
                                at(name),
                                NearestName.to(name, known)
                                        .map(near -> ": did you mean " + pathOf(near) + "?")
                                        .orElse("")));
            }
        }
    }
}
