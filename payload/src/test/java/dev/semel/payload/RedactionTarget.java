// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonException;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.payload.redact.Redaction;
import dev.semel.payload.redact.SensitiveNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Redaction keeps the structure of any document, removes all sensitive content and keeps all other numbers. */
final class RedactionTarget {
    /** Limited, so that the check itself needs linear time. */
    private static final Pattern PHONE = Pattern.compile("\\+(?:[ ().\\-/]{0,2}[0-9]){8}");

    private RedactionTarget() {}

    static void accept(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        assertThat(PHONE.matcher(Redaction.DEFAULT.sanitisedText(text).orElseThrow())
                        .find())
                .isFalse();
        Json json;
        try {
            json = Json.parse(bytes);
        } catch (JsonException e) {
            return;
        }
        // Otherwise, half of the documents would have no sensitive names.
        check(json);
        check(new JsonObject(Map.of("apiKey", json)));
        check(new JsonObject(Map.of("phone", json)));
        check(new JsonObject(Map.of("from", json)));
    }

    private static void check(Json json) {
        Json redacted = Json.parse(Redaction.DEFAULT.redacted(json).utf8());
        compare(json, redacted, Place.OPEN);
        assertThat(PHONE.matcher(new String(redacted.canonical(), StandardCharsets.UTF_8))
                        .find())
                .isFalse();
    }

    private enum Place {
        OPEN,
        PERHAPS_PHONE,
        PHONE,
        SENSITIVE;

        Place inside(String name) {
            SensitiveNames names = SensitiveNames.DEFAULT;
            Place named = names.isSensitive(name)
                    ? SENSITIVE
                    : names.isPhone(name) ? PHONE : names.mayBePhone(name) ? PERHAPS_PHONE : OPEN;
            return named.compareTo(this) > 0 ? named : this;
        }
    }

    private static void compare(Json before, Json after, Place place) {
        if (before instanceof JsonObject one) {
            JsonObject two = (JsonObject) after;
            List<String> names = new ArrayList<>(one.members().keySet());
            List<Json> values = new ArrayList<>(two.members().values());
            assertThat(values).hasSameSizeAs(names);
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                compare(one.member(name).orElseThrow(), values.get(i), place.inside(name));
            }
        } else if (before instanceof JsonArray one) {
            JsonArray two = (JsonArray) after;
            assertThat(two.elements()).hasSameSizeAs(one.elements());
            for (int i = 0; i < one.elements().size(); i++) {
                compare(one.elements().get(i), two.elements().get(i), place);
            }
        } else if (place == Place.SENSITIVE && (before instanceof JsonString || before instanceof JsonNumber)) {
            assertThat(after).isEqualTo(new JsonString(Redaction.REDACTED));
        } else if (before instanceof JsonNumber && after instanceof JsonString masked) {
            assertThat(place).isIn(Place.PHONE, Place.PERHAPS_PHONE);
            assertThat(masked.value().chars().filter(Character::isDigit).count())
                    .isLessThanOrEqualTo(4);
        } else if (before instanceof JsonNumber one) {
            assertThat(place).isNotEqualTo(Place.PHONE);
            assertThat(((JsonNumber) after).text()).isEqualTo(one.text());
        } else if (before instanceof JsonString) {
            assertThat(after).isInstanceOf(JsonString.class);
        } else {
            assertThat(after).isEqualTo(before);
        }
    }
}
