// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Redacts the values of a document and keeps its structure.
 *
 * <ol>
 *   <li>Every string and number in a sensitive member becomes {@value #REDACTED}, including those in its arrays and objects.
 *   <li>Every string and number in a member for phone numbers is masked, including those in its arrays and objects.
 *       A masked number becomes a string.
 *   <li>In a member that may hold a phone number, such as {@code from}, values that look like one are masked.
 *   <li>In every other string, and in member names, international phone numbers are masked.
 *   <li>Other numbers, {@code true}, {@code false} and {@code null} never change.
 * </ol>
 *
 * <p>{@link SensitiveNames} lists the names. {@link PhoneMask} describes the mask. Time and memory are linear in the size of
 * the document, because no regular expression is used. {@link #sanitisedText} masks phone numbers in unstructured text,
 * and the text after a sensitive name and {@code =} or {@code :}.
 */
public final class Redaction implements Sanitiser {
    /** Replaces sensitive values. */
    public static final String REDACTED = "[REDACTED]";

    /** The redaction with the default names. */
    public static final Redaction DEFAULT = new Redaction(SensitiveNames.DEFAULT);

    private static final JsonString REPLACEMENT = new JsonString(REDACTED);

    private final SensitiveNames names;
    private final PlainText plainText;

    public Redaction(SensitiveNames names) {
        this.names = Objects.requireNonNull(names, "Sensitive names must not be null");
        this.plainText = new PlainText(names);
    }

    @Override
    public Optional<Json> sanitised(Json json) {
        return Optional.of(redacted(json));
    }

    @Override
    public Optional<String> sanitisedText(String text) {
        return Optional.of(plainText.masked(text));
    }

    /** The document without sensitive content. */
    public Json redacted(Json json) {
        return redacted(json, Place.OPEN);
    }

    private Json redacted(Json json, Place place) {
        if (json instanceof JsonObject object) {
            return members(object, place);
        }
        if (json instanceof JsonArray array) {
            return new JsonArray(array.elements().stream()
                    .map(element -> redacted(element, place))
                    .toList());
        }
        if (json instanceof JsonString string) {
            return switch (place) {
                case SENSITIVE -> REPLACEMENT;
                case PHONE -> new JsonString(PhoneMask.whole(string.value()));
                case PERHAPS_PHONE -> new JsonString(PhoneMask.ifPhone(string.value()));
                case OPEN -> new JsonString(PhoneMask.inText(string.value()));
            };
        }
        return json instanceof JsonNumber number ? redacted(number, place) : json;
    }

    /** Uses the value, so that the count of digits does not depend on how the number is written. */
    private static Json redacted(JsonNumber number, Place place) {
        String text = number.canonicalText();
        return switch (place) {
            case SENSITIVE -> REPLACEMENT;
            case PHONE -> new JsonString(PhoneMask.whole(text));
            case PERHAPS_PHONE -> {
                String masked = PhoneMask.ifPhone(text);
                yield masked.equals(text) ? number : new JsonString(masked);
            }
            case OPEN -> number;
        };
    }

    private Json members(JsonObject object, Place place) {
        Map<String, Json> members = new LinkedHashMap<>();
        Map<String, Integer> alike = new HashMap<>();
        object.members()
                .forEach((name, value) ->
                        members.put(unused(shown(name, place), members, alike), redacted(value, inside(name, place))));
        return new JsonObject(members);
    }

    private static String shown(String name, Place place) {
        return place == Place.PHONE || place == Place.PERHAPS_PHONE ? PhoneMask.ifPhone(name) : PhoneMask.inText(name);
    }

    /** Members inside a sensitive member, or inside one for phone numbers, inherit its treatment. */
    private Place inside(String name, Place place) {
        if (place == Place.SENSITIVE || names.isSensitive(name)) {
            return Place.SENSITIVE;
        }
        if (place == Place.PHONE || names.isPhone(name)) {
            return Place.PHONE;
        }
        return place == Place.PERHAPS_PHONE || names.mayBePhone(name) ? Place.PERHAPS_PHONE : Place.OPEN;
    }

    /** Two masked names may be equal, but no member may be lost. The counter continues, which avoids quadratic time. */
    private static String unused(String name, Map<String, Json> members, Map<String, Integer> alike) {
        String free = name;
        while (members.containsKey(free)) {
            free = name + "#" + alike.merge(name, 1, Integer::sum);
        }
        return free;
    }

    private enum Place {
        OPEN,
        PERHAPS_PHONE,
        PHONE,
        SENSITIVE
    }
}
