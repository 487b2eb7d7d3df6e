// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.internal.BoundedText;
import dev.semel.journal.rows.StoredJson;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is stored in its columns. Values that do not fit a column exactly are stored in {@code members}: a value that is
 * not a string, is too long or has control characters, and every member without a column. Columns and members together are the
 * exact event.
 */
record EventText(
        String orgId,
        @Nullable String actorId,
        String eventType,
        @Nullable String entityType,
        @Nullable String entityId,
        @Nullable String payload,
        @Nullable String members) {
    /** The maximum number of characters of a column, except payload and members. */
    static final int MAX_COLUMN = 255;

    /** The members that have a column, in the order in which an event is returned. */
    private static final List<String> COLUMNS =
            List.of("org_id", "actor_id", "event_type", "entity_type", "entity_id", "payload");

    static EventText of(JsonObject event) {
        String orgId = required(event, "org_id");
        String eventType = required(event, "event_type");
        EventText columns = new EventText(
                orgId,
                column(event, "actor_id"),
                eventType,
                column(event, "entity_type"),
                column(event, "entity_id"),
                event.member("payload").map(StoredJson::text).orElse(null),
                null);
        JsonObject.Builder rest = new JsonObject.Builder();
        event.members().forEach((name, value) -> {
            if (!COLUMNS.contains(name) || !columns.isColumn(name)) {
                rest.put(name, value);
            }
        });
        JsonObject members = rest.build();
        return members.members().isEmpty() ? columns : columns.withMembers(StoredJson.text(members));
    }

    private EventText withMembers(String more) {
        return new EventText(orgId, actorId, eventType, entityType, entityId, payload, more);
    }

    private static String required(JsonObject event, String name) {
        if (event.members().get(name) instanceof JsonString text) {
            return BoundedText.check("event." + name, text.value(), MAX_COLUMN);
        }
        throw new IllegalArgumentException("event.%s is required and must be a string".formatted(name));
    }

    private static @Nullable String column(JsonObject event, String name) {
        return event.members().get(name) instanceof JsonString text
                        && text.value().length() <= MAX_COLUMN
                        && BoundedText.isPlain(text.value())
                ? text.value()
                : null;
    }

    /** The event as JSON. Its members always have the same order. */
    JsonObject event() {
        JsonObject.Builder event = new JsonObject.Builder().put("org_id", new JsonString(orgId));
        put(event, "actor_id", actorId);
        event.put("event_type", new JsonString(eventType));
        put(event, "entity_type", entityType);
        put(event, "entity_id", entityId);
        if (payload != null) {
            event.put("payload", StoredJson.parse(payload));
        }
        if (members != null && StoredJson.parse(members) instanceof JsonObject more) {
            more.members().forEach(event::putIfAbsent);
        }
        return event.build();
    }

    /** As {@link #event}, built from the event that this was made of, without parsing. */
    JsonObject inOrder(JsonObject given) {
        JsonObject.Builder event = new JsonObject.Builder();
        for (String name : COLUMNS) {
            Json value = given.members().get(name);
            if (value != null && isColumn(name)) {
                event.put(name, value);
            }
        }
        given.members().forEach(event::putIfAbsent);
        return event.build();
    }

    /**
     * Appends the members of {@link #inOrder} as text, each after a comma. Only for a text that was made of an event: columns that
     * another application has written need not be JSON.
     */
    void appendTo(StringBuilder out) {
        append(out, "org_id", orgId);
        append(out, "actor_id", actorId);
        append(out, "event_type", eventType);
        append(out, "entity_type", entityType);
        append(out, "entity_id", entityId);
        if (payload != null) {
            out.append(",\"payload\":").append(payload);
        }
        if (members != null) {
            out.append(',').append(members.substring(1, members.length() - 1));
        }
    }

    private static void append(StringBuilder out, String name, @Nullable String value) {
        if (value != null) {
            boolean plain = value.indexOf('"') < 0 && value.indexOf('\\') < 0;
            out.append(",\"").append(name).append("\":");
            out.append(plain ? '"' + value + '"' : StoredJson.text(new JsonString(value)));
        }
    }

    private boolean isColumn(String name) {
        return switch (name) {
            case "actor_id" -> actorId != null;
            case "entity_type" -> entityType != null;
            case "entity_id" -> entityId != null;
            default -> true;
        };
    }

    private static void put(JsonObject.Builder event, String name, @Nullable String value) {
        if (value != null) {
            event.put(name, new JsonString(value));
        }
    }

    long size() {
        return 512L + (payload == null ? 0 : payload.length()) + (members == null ? 0 : members.length());
    }

    /** Does not contain the event, which may be confidential. */
    @Override
    public String toString() {
        return "EventText[" + size() + " characters]";
    }
}
