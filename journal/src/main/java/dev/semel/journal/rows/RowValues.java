// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedValues;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The named parameters of a statement. */
public final class RowValues implements NamedValues {
    private final Map<String, @Nullable Object> values = new HashMap<>();
    private final @Nullable NamedValues defaults;

    private RowValues(@Nullable NamedValues defaults) {
        this.defaults = defaults;
    }

    public static RowValues none() {
        return new RowValues(null);
    }

    /** Values that are put here override these defaults. */
    public static RowValues over(NamedValues defaults) {
        return new RowValues(defaults);
    }

    public RowValues put(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    @Override
    public @Nullable Object get(String name) {
        if (values.containsKey(name)) {
            return values.get(name);
        }
        if (defaults == null) {
            throw new IllegalArgumentException("There is no parameter named " + name);
        }
        return defaults.get(name);
    }
}
