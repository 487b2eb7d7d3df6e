// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of a JSON object in a request. Each error names the field. {@link #done} rejects unknown members.
 */
public final class JsonFields {
    /** Maximum number of characters of a key in a JSON body. */
    public static final int MAX_KEY = 1_024;

    private final JsonObject object;
    private final JsonPointer at;
    /** The members that were read. */
    private final Set<String> known = new HashSet<>();

    public JsonFields(Json json, JsonPointer at) {
        if (!(json instanceof JsonObject members)) {
            throw ProblemDetail.field(at.toString(), "%s must be a JSON object".formatted(named(at)))
                    .asException();
        }
        this.object = members;
        this.at = at;
    }

    /** Returns the member's value of any type. */
    public Optional<Json> any(String name) {
        return Optional.ofNullable(member(name));
    }

    private @Nullable Json member(String name) {
        Json found = object.members().get(name);
        if (found != null) {
            known.add(name);
        }
        return found;
    }

    public boolean has(String name) {
        return any(name).isPresent();
    }

    /** Returns a string of 1 to {@code max} characters without control characters. */
    public Optional<String> text(String name, int max) {
        Json json = member(name);
        return json == null ? Optional.empty() : Optional.of(text(name, json, max));
    }

    /**
     * Returns an array of up to {@code maxTexts} strings, each checked as by {@link #text}. Returns an empty list if
     * the member is absent.
     */
    public List<String> texts(String name, int maxTexts, int max) {
        Optional<Json> list = any(name);
        if (list.isEmpty()) {
            return List.of();
        }
        if (!(list.get() instanceof JsonArray array) || array.elements().size() > maxTexts) {
            throw wrong(name, "must be an array of at most %d elements".formatted(maxTexts));
        }
        List<String> texts = new ArrayList<>();
        for (Json element : array.elements()) {
            texts.add(text(pointer(name).child(Integer.toString(texts.size())), element, max));
        }
        return List.copyOf(texts);
    }

    private String text(String name, Json json, int max) {
        // The pointer is for the error only.
        return isText(json, max) ? ((JsonString) json).value() : text(pointer(name), json, max);
    }

    private static boolean isText(Json json, int max) {
        if (!(json instanceof JsonString string)) {
            return false;
        }
        String text = string.value();
        return !text.isEmpty() && text.length() <= max && !TextChecks.hasControls(text);
    }

    private static String text(JsonPointer at, Json json, int max) {
        String text = string(at, json);
        int length = text.codePointCount(0, text.length());
        if (length == 0 || length > max) {
            throw wrong(at, "must have 1 to %d characters, but has %d".formatted(max, length));
        }
        if (TextChecks.hasControls(text)) {
            throw wrong(at, "must not contain control characters");
        }
        return text;
    }

    /** Like {@link #text}, but the member is required. */
    public String requiredText(String name, int max) {
        return text(name, max).orElseThrow(() -> missing(name));
    }

    /** Returns a string without any checks. */
    public Optional<String> freeText(String name) {
        return any(name).map(json -> string(pointer(name), json));
    }

    public Optional<Long> whole(String name, long min, long max) {
        return any(name).map(json -> {
            if (json instanceof JsonNumber number && number.isWhole()) {
                BigDecimal value = number.value();
                if (value.compareTo(BigDecimal.valueOf(min)) >= 0 && value.compareTo(BigDecimal.valueOf(max)) <= 0) {
                    return value.longValueExact();
                }
            }
            throw wrong(name, "must be a whole number from %d to %d".formatted(min, max));
        });
    }

    public Optional<Boolean> bool(String name) {
        return any(name).map(json -> {
            if (json instanceof JsonBoolean bool) {
                return bool.value();
            }
            throw wrong(name, "must be true or false");
        });
    }

    public List<Json> requiredList(String name, int max) {
        Json json = any(name).orElseThrow(() -> missing(name));
        if (json instanceof JsonArray array
                && !array.elements().isEmpty()
                && array.elements().size() <= max) {
            return array.elements();
        }
        throw wrong(name, "must be an array of 1 to %d elements".formatted(max));
    }

    /** Rejects members that were not read. Call it after all known members were read. */
    public void done() {
        if (known.size() == object.members().size()) {
            return;
        }
        for (String name : object.members().keySet()) {
            if (!known.contains(name)) {
                throw wrong(name, "is unknown");
            }
        }
    }

    public JsonPointer pointer(String name) {
        return at.child(name);
    }

    public ProblemException missing(String name) {
        return wrong(name, "is required");
    }

    /**
     * Creates an error about this field.
     *
     * @param what completes the sentence that begins with the field's name
     */
    public ProblemException wrong(String name, String what) {
        return wrong(pointer(name), what);
    }

    /** Like {@link #wrong(String, String)}, for one element of an array. */
    public ProblemException wrong(String name, int element, String what) {
        return wrong(pointer(name).child(Integer.toString(element)), what);
    }

    private static ProblemException wrong(JsonPointer pointer, String what) {
        return ProblemDetail.field(pointer.toString(), named(pointer) + " " + what)
                .asException();
    }

    private static String string(JsonPointer at, Json json) {
        if (json instanceof JsonString string) {
            return string.value();
        }
        throw wrong(at, "must be a string");
    }

    private static String named(JsonPointer pointer) {
        String text = pointer.toString();
        // A field name from the request may be very long. The member "field" contains it, truncated.
        return text.isEmpty() ? "The body" : text.length() > 80 ? "A field" : text;
    }
}
