// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds settings in the options, the environment and the file, in this order. An empty variable counts as unset,
 * because container platforms create such variables.
 */
final class SettingSources {
    private final Map<Setting, String> options;
    private final Map<String, String> environment;
    private final SettingsSection file;

    SettingSources(Map<Setting, String> options, Map<String, String> environment, SettingsSection file) {
        this.options = options;
        this.environment = environment;
        this.file = file;
    }

    /**
     * Finds a setting.
     *
     * @param section the section that contains the setting's key
     */
    Optional<SettingValue> find(Setting setting, SettingsSection section) {
        String key = setting.key().substring(setting.key().lastIndexOf('.') + 1);
        // Read it even if it is overridden, so that the key is not reported as unknown.
        Optional<SettingValue> inFile = section.value(key);
        String option = options.get(setting);
        if (option != null) {
            return Optional.of(new SettingValue(setting.option(), option));
        }
        String variable = environment.get(setting.variable());
        if (variable != null && !variable.isEmpty()) {
            return Optional.of(new SettingValue(setting.variable(), variable));
        }
        return inFile;
    }

    /** Like {@link #find}, for several values: a list in the file, comma-separated in the environment. */
    List<SettingValue> findAll(Setting setting, SettingsSection section) {
        List<SettingValue> inFile = section.valuesOf(setting.key());
        String variable = environment.get(setting.variable());
        if (variable == null || variable.isEmpty()) {
            return inFile;
        }
        List<SettingValue> all = new ArrayList<>();
        // Strip spaces after commas: they would become a part of the secret.
        for (String part : variable.split(",", -1)) {
            all.add(new SettingValue("%s[%d]".formatted(setting.variable(), all.size()), part.strip()));
        }
        return all;
    }

    SettingsSection file() {
        return file;
    }
}
