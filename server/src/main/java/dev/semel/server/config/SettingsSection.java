// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A section of the settings file. {@link #done} rejects keys that were not read before. */
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

    /** Returns the key's full name, for error messages. */
    String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Returns the location of the section, for error messages. */
    String here() {
        return file + ": " + path;
    }

    /** Returns the location of the key, for error messages. */
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
            throw new ConfigException(at(key) + " must be a single value, not a list or a section");
        }
        return Optional.of(new SettingValue(at(key), text));
    }

    /** Returns the section with this name; an empty one if it is absent. */
    SettingsSection section(String key) {
        known.add(key);
        Object found = values.get(key);
        if (found == null || "".equals(found)) {
            return new SettingsSection(file, pathOf(key), Map.of());
        }
        if (!(found instanceof Map<?, ?> map)) {
            throw new ConfigException(at(key) + " must contain keys and values");
        }
        return new SettingsSection(file, pathOf(key), map);
    }

    /** Returns whether the key exists and is a section. */
    boolean isSection(String key) {
        known.add(key);
        return values.get(key) instanceof Map<?, ?>;
    }

    /** Returns all sections inside. The user chooses their names. */
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
                throw new ConfigException("%s: %s must contain keys and values".formatted(file, name));
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
                throw new ConfigException(name + " must be a single value");
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

    /** Rejects unknown keys. Call it after all known keys were read. */
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
