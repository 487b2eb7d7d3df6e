// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a server is started.
 *
 * @param options the options after {@code serve}, without those for port and data
 * @param environment variables; Semel's own are not inherited
 * @param data the data folder
 */
record Launch(List<String> options, Map<String, String> environment, Path data) {
    Launch {
        options = List.copyOf(options);
        environment = Map.copyOf(environment);
    }

    static Launch in(Path data) {
        return new Launch(List.of(), Map.of(), data);
    }

    Launch with(String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new Launch(all, environment, data);
    }

    Launch withVariable(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        return new Launch(options, all, data);
    }

    /** Another instance over the same database. */
    Launch withData(Path other) {
        return new Launch(options, environment, other);
    }
}
