// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.RandomJson;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhoneMaskTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "+41791234567 | +********567",
                "call +41 79 123 45 67 now | call +** ** *** *5 67 now",
                "+1 (650) 555-1234 | +* (***) ***-*234",
                "+12345678 | +******78",
                "+123456789012345 | +***********2345",
                "tel:+41791234567;ext=1 | tel:+********567;ext=1",
                "+41791234567+41791234568 | +********567+********568",
                "++41791234567 | ++********567",
                "+\u0664\u0661\u0667\u0669\u0661\u0662\u0663\u0664 | +******\u0663\u0664",
                "\uff0b\uff14\uff11\uff17\uff19\uff11\uff12\uff13\uff14 | \uff0b******\uff13\uff14",
                // A following number is not part of it. A longer number without separators is masked as a whole.
                "+41791234567 20261116 | +********567 20261116",
                "+1234567890123456 | +************3456",
            })
    void masksInternationalNumbersInText(String text, String masked) {
        assertThat(PhoneMask.inText(text)).isEqualTo(masked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "+1234567",
                "0791234567",
                "41791234567",
                "1 + 1",
                "2026-11-16T00:00:00+00:00",
                "+41   791234567",
                "+",
                "``"
            })
    void keepsOtherText(String text) {
        assertThat(PhoneMask.inText(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "079 123 45 67 | *** *** *5 67",
                "16505551234 | ********234",
                "117 | ***",
                "1170 | **70",
                "1-800-FLOWERS | *-*00-*******",
                "unknown | *******",
                "`` | ``",
            })
    void masksWholeNumbers(String text, String masked) {
        assertThat(PhoneMask.whole(text)).isEqualTo(masked);
    }

    @Test
    void leavesNoNumberUnmaskedAndIsIdempotent() {
        long seed = 5;
        Random random = new Random(seed);
        Pattern phone = Pattern.compile("\\+(?:[ ().\\-/]{0,2}\\d){8}");
        int seen = 0;
        for (int i = 0; i < 20_000; i++) {
            String text = "+" + RandomJson.text(random) + RandomJson.text(random);
            String masked = PhoneMask.inText(text);

            assertThat(phone.matcher(masked).find())
                    .as("%s, seed %d", text, seed)
                    .isFalse();
            assertThat(PhoneMask.inText(masked)).as("%s, seed %d", text, seed).isEqualTo(masked);
            assertThat(masked.length()).as("%s, seed %d", text, seed).isEqualTo(text.length());
            seen += masked.equals(text) ? 0 : 1;
        }
        assertThat(seen).isGreaterThan(100);
    }
}
