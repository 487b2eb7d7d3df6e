// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.NamedValues;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a record's row binds. */
final class Values implements NamedValues {
    private final Map<String, @Nullable Object> values = new HashMap<>();
    private final @Nullable NamedValues others;

    private Values(@Nullable NamedValues others) {
        this.others = others;
    }

    static Values none() {
        return new Values(null);
    }

    /** These, but for what is put here. */
    static Values over(NamedValues others) {
        return new Values(others);
    }

    static Values of(CallRow row) {
        return none().put("id", row.id().toString())
                .put("site_id", row.call().siteId())
                .put("signature_hash", row.call().signatureHash())
                .put("verified", row.call().verified())
                .put("body", row.body());
    }

    Values put(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    @Override
    public @Nullable Object get(String name) {
        if (values.containsKey(name)) {
            return values.get(name);
        }
        if (others == null) {
            throw new IllegalArgumentException("No parameter is named " + name);
        }
        return others.get(name);
    }
}
