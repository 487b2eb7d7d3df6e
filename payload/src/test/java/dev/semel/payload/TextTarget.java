// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.redact.PhoneMask;
import java.nio.charset.StandardCharsets;

/** A pointer is written as it was read, for any text that is one, and masking a masked text changes nothing. */
final class TextTarget {
    private TextTarget() {}

    static void accept(byte[] input) {
        // As UTF-8, and as UTF-16 to get lone surrogates, which UTF-8 cannot represent.
        text(new String(input, StandardCharsets.UTF_8));
        text(new String(input, StandardCharsets.UTF_16BE));
    }

    private static void text(String text) {
        pointer(text);
        String masked = PhoneMask.inText(text);
        assertThat(masked.length()).isLessThanOrEqualTo(text.length());
        assertThat(PhoneMask.inText(masked)).isEqualTo(masked);
        assertThat(digits(PhoneMask.whole(text))).isLessThanOrEqualTo(4);
        assertThat(digits(PhoneMask.ifPhone(text))).isLessThanOrEqualTo(digits(text));
    }

    private static void pointer(String text) {
        JsonPointer pointer;
        try {
            pointer = JsonPointer.of(text);
        } catch (IllegalArgumentException e) {
            return;
        }
        assertThat(pointer).hasToString(text);
        assertThat(JsonPointer.of(pointer.child(text).toString())).isEqualTo(pointer.child(text));
    }

    private static long digits(String text) {
        return text.codePoints().filter(Character::isDigit).count();
    }
}
