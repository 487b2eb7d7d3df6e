// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps only the allowed fields of a result, and only if a field has the expected type. The block-list takes precedence: a
 * blocked member is never stored, even if its name is allowed, and at any depth inside an allowed field. The kept fields
 * are redacted as well, so a phone number in an allowed field is masked.
 */
public final class AllowList implements Sanitiser {
    /** Allows no fields and blocks the default names. */
    public static final AllowList EMPTY = new AllowList(
            Map.of(),
            BlockList.of(
                    "_internal",
                    "debug",
                    "prompt",
                    "prompts",
                    "system_prompt",
                    "user_prompt",
                    "user_text",
                    "raw_user_text",
                    "raw_text",
                    "raw_input",
                    "error.message",
                    "error_message",
                    "stack",
                    "stack_trace",
                    "provider",
                    "model",
                    "request_id"),
            Redaction.DEFAULT);

    /**
     * Fields that are safe to show to a customer: {@code ok}, {@code needsHuman} and {@code cached} as booleans,
     * {@code stopReason} as one word, {@code createdActionRequestIds} as a list of numbers, {@code traceId} as a short text,
     * and {@code data} as primitives without nested structure.
     */
    public static final AllowList CUSTOMER_SAFE = EMPTY.allow("ok", new FieldType.Bool())
            .allow("stopReason", new FieldType.Word(64))
            .allow("createdActionRequestIds", new FieldType.Numbers(1_000))
            .allow("traceId", new FieldType.Text(128))
            .allow("needsHuman", new FieldType.Bool())
            .allow("cached", new FieldType.Bool())
            .allow("data", new FieldType.Primitives(100, 1_000));

    private final Map<String, FieldType> fields;
    private final BlockList blocked;
    private final Redaction redaction;

    private AllowList(Map<String, FieldType> fields, BlockList blocked, Redaction redaction) {
        this.fields = fields;
        this.blocked = blocked;
        this.redaction = redaction;
    }

    /** Allows the member of the result that has exactly this name. */
    public AllowList allow(String name, FieldType type) {
        Map<String, FieldType> more = new LinkedHashMap<>(fields);
        more.put(
                Objects.requireNonNull(name, "A field's name must not be null"),
                Objects.requireNonNull(type, "A field's type must not be null"));
        return new AllowList(Collections.unmodifiableMap(more), blocked, redaction);
    }

    /** Blocks members by name, such as {@code stack}, or by path, such as {@code error.message}, at any depth. */
    public AllowList block(String... entries) {
        return new AllowList(fields, blocked.and(entries), redaction);
    }

    /** Redacts the kept fields with this redaction instead of the default one. */
    public AllowList redactedBy(Redaction other) {
        return new AllowList(fields, blocked, Objects.requireNonNull(other, "A redaction must not be null"));
    }

    /** The allowed fields, or empty if the result is not an object and therefore has no fields. */
    @Override
    public Optional<Json> sanitised(Json json) {
        if (!(blocked.leftOutOf(json) instanceof JsonObject object)) {
            return Optional.empty();
        }
        Map<String, Json> kept = new LinkedHashMap<>();
        object.members()
                .forEach((name, value) -> Optional.ofNullable(fields.get(name))
                        .flatMap(type -> type.kept(value))
                        .ifPresent(allowed -> kept.put(name, allowed)));
        return redaction.sanitised(new JsonObject(kept));
    }

    /** Always empty, because unstructured text may come from a user or a model. */
    @Override
    public Optional<String> sanitisedText(String text) {
        return Optional.empty();
    }
}
