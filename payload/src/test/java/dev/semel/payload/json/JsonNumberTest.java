// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonNumberTest {
    /** RFC 8785, appendix B, with the numbers in ECMAScript's notation. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2",
    })
    void writesTheNumbersOfRfc8785(String ieee754, String expected) {
        assertThat(new JsonNumber(expected).canonicalText()).isEqualTo(expected);
        assertThat(Double.parseDouble(expected))
                .isEqualTo(Double.longBitsToDouble(Long.parseUnsignedLong(ieee754, 16)) + 0.0);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1.0, 1",
        "1e0, 1",
        "10e-1, 1",
        "0.1E+1, 1",
        "-0, 0",
        "-0.000e99999999999, 0",
        "1.50, 1.5",
        "1e3, 1000",
        "1E400, 1e+400",
        "123e-9, 1.23e-7",
        "0.1, 0.1",
        "0.10000000000000000001, 0.10000000000000000001",
        "9007199254740993, 9007199254740993",
        "-9007199254740993, -9007199254740993",
        "18446744073709551615, 18446744073709551615",
        "100000000000000000000, 100000000000000000000",
        "999999999999999999999, 999999999999999999999",
        "1000000000000000000000, 1e+21",
        "1000000000000000000001, 1.000000000000000000001e+21",
        "123456789.123456789123456789, 123456789.123456789123456789",
    })
    void writesExactValues(String text, String expected) {
        JsonNumber number = new JsonNumber(text);

        assertThat(number.canonicalText()).isEqualTo(expected);
        assertThat(number.text()).isEqualTo(text);
    }

    /** Row 24 of docs/failures.md. */
    @Test
    void row24_bigIntegersDoNotCollapse() {
        assertThat(new JsonNumber("9007199254740993")).isNotEqualTo(new JsonNumber("9007199254740992"));
        assertThat(new JsonNumber("0.1")).isNotEqualTo(new JsonNumber("0.10000000000000000001"));
        assertThat(new JsonNumber("1e400")).isNotEqualTo(new JsonNumber("1e401"));
        assertThat(new JsonNumber("1.0")).isEqualTo(new JsonNumber("1")).hasSameHashCodeAs(new JsonNumber("1"));
    }

    /** Compares with BigDecimal: texts are equal if and only if values are equal, and a text has its number's value. */
    @Test
    void isInjective() {
        long seed = 8785;
        Random random = new Random(seed);
        Map<String, BigDecimal> seen = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            String text = RandomJson.numberText(random);
            JsonNumber number = new JsonNumber(text);
            String canonical = number.canonicalText();
            BigDecimal value = new BigDecimal(text);

            assertThat(new JsonNumber(canonical).canonicalText())
                    .as("%s, seed %d", text, seed)
                    .isEqualTo(canonical);
            assertThat(number.value()).as("%s, seed %d", text, seed).isEqualByComparingTo(value);
            BigDecimal before = seen.putIfAbsent(canonical, value);
            assertThat(before == null || before.compareTo(value) == 0)
                    .as("%s, seed %d", text, seed)
                    .isTrue();
        }
        assertThat(seen).hasSizeGreaterThan(1_000).hasSizeLessThan(50_000);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1.0, true", "1e3, true", "0, true", "0.0, true", "1.5, false", "1e-3, false", "15e-1, false"
    })
    void knowsWholeNumbers(String text, boolean whole) {
        assertThat(new JsonNumber(text).isWhole()).isEqualTo(whole);
    }
}
