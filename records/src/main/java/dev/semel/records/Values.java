// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import dev.semel.jdbc.sql.NamedValues;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a record's row binds: the one place where records become columns. */
final class Values implements NamedValues {
    private final Map<String, @Nullable Object> values = new HashMap<>();

    static Values none() {
        return new Values();
    }

    static Values of(EventRow row) {
        EventText text = row.entry().text();
        return none().put("key_hash", row.ref().digest().bytes())
                .put("idempotency_key", row.entry().idempotencyKey())
                .put("id", row.id().toString())
                .put("org_id", text.orgId())
                .put("actor_id", text.actorId())
                .put("event_type", text.eventType())
                .put("entity_type", text.entityType())
                .put("entity_id", text.entityId())
                .put("payload", text.payload())
                .put("members", text.members());
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
        if (!values.containsKey(name)) {
            throw new IllegalArgumentException("No parameter is named " + name);
        }
        return values.get(name);
    }
}
