// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Options before environment before file. An empty variable counts as not set, as container platforms leave them. */
final class SettingSources {
    private final Map<Setting, String> options;
    private final Map<String, String> environment;
    private final SettingsSection file;

    SettingSources(Map<Setting, String> options, Map<String, String> environment, SettingsSection file) {
        this.options = options;
        this.environment = environment;
        this.file = file;
    }

    /** @param section where the setting's key is, already at hand because its other keys are read too */
    Optional<SettingValue> find(Setting setting, SettingsSection section) {
        String key = setting.key().substring(setting.key().lastIndexOf('.') + 1);
        // Asked for in any case, so that it is known.
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

    /** As {@link #find}, for several values: a list in the file, and separated by commas in the environment. */
    List<SettingValue> findAll(Setting setting, SettingsSection section) {
        List<SettingValue> inFile = section.valuesOf(setting.key());
        String variable = environment.get(setting.variable());
        if (variable == null || variable.isEmpty()) {
            return inFile;
        }
        List<SettingValue> all = new ArrayList<>();
        // People write a blank after a comma. It would make another secret, which finds nothing.
        for (String part : variable.split(",", -1)) {
            all.add(new SettingValue("%s[%d]".formatted(setting.variable(), all.size()), part.strip()));
        }
        return all;
    }

    SettingsSection file() {
        return file;
    }
}
