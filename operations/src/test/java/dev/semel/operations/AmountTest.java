// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1000 | 1000",
                "1000.0 | 1000",
                "1000.00 | 1000",
                "1000.000 | 1000",
                "1000,00 | 1000",
                "1,000.00 | 1000",
                "1.000,00 | 1000",
                "1,000.000 | 1000",
                "1 000 | 1000",
                "1\u00a0000,00 | 1000",
                "1\u202f000 | 1000",
                "1\u2009000.0 | 1000",
                "1'000.00 | 1000",
                "1\u2019000 | 1000",
                "1,000,000 | 1000000",
                "1.000.000 | 1000000",
                "1.000.000,5 | 1000000.5",
                "12,34,567 | 1234567",
                "12,34,567.80 | 1234567.8",
                "1,00,000 | 100000",
                "12,5 | 12.5",
                "12.50 | 12.5",
                "0.500 | 0.5",
                "0,001 | 0.001",
                "1234.567 | 1234.567",
                "1.0000 | 1",
                "0 | 0",
                "0.00 | 0",
                "999999999999999999999999999999 | 999999999999999999999999999999",
            })
    void textIsReadByItsValue(String written, String value) {
        assertThat(Amount.of(written).text()).isEqualTo(value);
        assertThat(Amount.of(" \t" + written + "\n").text()).isEqualTo(value);
        assertThat(Amount.of(new JsonString(written))).isEqualTo(Amount.of(new BigDecimal(value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.000", "1,000", "12.500", "999,999", "100.000"})
    void ambiguousTextIsRefused(String written) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Amount.of(written))
                .withMessageContaining("ambiguous")
                .withMessageContaining("JSON number")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ".",
                ",",
                "abc",
                "-5",
                "+5",
                "1e3",
                "1E3",
                "RWF 1000",
                "1000 RWF",
                "$10",
                "007",
                "0100",
                "00.5",
                ".5",
                "5.",
                "1,00,00",
                "1,0000,000",
                "1,000,00",
                "1 000 00",
                "1,000 000",
                "1.000,000.00",
                "1,000.000,00",
                "1000,000,000",
                "0,000,000",
                "1,,000",
                "1  000",
                "12,34,5678",
                "12.34.567",
                "\u0661\u0660\u0660",
                "1_000",
                "NaN",
                "Infinity",
                "0x10",
                "1,000.",
                "1.000.0",
            })
    void invalidTextIsRefused(String written) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Amount.of(written))
                .withMessageStartingWith("An amount must be written with digits");
    }

    @Test
    void aJsonNumberIsTakenExactly() {
        assertThat(Amount.of(new JsonNumber("1.000"))).isEqualTo(Amount.of(1)).isEqualTo(Amount.of("1"));
        assertThat(Amount.of(new JsonNumber("1e3"))).isEqualTo(Amount.of("1,000.00"));
        assertThat(Amount.of(new JsonNumber("0.1"))).isEqualTo(Amount.of("0.10"));
        assertThat(Amount.of(new JsonNumber("9007199254740993"))).isNotEqualTo(Amount.of("9007199254740992"));
        assertThat(Amount.of(new JsonNumber("-0")).text()).isEqualTo("0");
    }

    @Test
    void otherJsonIsRefused() {
        assertThatThrownBy(() -> Amount.of(JsonNull.NULL)).hasMessageContaining("JSON number or a JSON string");
    }

    @Test
    void limitsAreEnforced() {
        assertThatThrownBy(() -> Amount.of(-1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> Amount.of(new JsonNumber("-0.01"))).hasMessageContaining("negative");
        assertThatThrownBy(() -> Amount.of("1" + "0".repeat(30))).hasMessageContaining("30 digits");
        assertThatThrownBy(() -> Amount.of("0." + "0".repeat(30) + "1")).hasMessageContaining("30 digits");
        assertThatThrownBy(() -> Amount.of(new JsonNumber("1e9999"))).hasMessageContaining("30 digits");
        assertThatThrownBy(() -> Amount.of("1".repeat(101))).hasMessageContaining("100 characters");
        assertThatThrownBy(() -> Amount.of(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)))
                .hasMessageContaining("30 digits");
        assertThat(Amount.of(new BigDecimal("0e-400")).text()).isEqualTo("0");
    }

    @Test
    void toStringOmitsTheValue() {
        assertThat(Amount.of(4711).toString()).doesNotContain("4711");
    }

    /** Two amounts are equal exactly if their values are, in any notation. */
    @Test
    void notationsOfOneValueAreEqualAndThoseOfTwoAreNot() {
        Random random = new Random(20260101);
        Map<String, BigDecimal> seen = new HashMap<>();
        TreeSet<String> spellings = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            BigDecimal value = randomAmount(random);
            Amount exact = Amount.of(value);
            for (String spelling : spellingsOf(value, random)) {
                spellings.add(spelling);
                try {
                    assertThat(Amount.of(spelling)).as(spelling).isEqualTo(exact);
                } catch (IllegalArgumentException e) {
                    assertThat(spelling.strip()).matches("[1-9][0-9]{0,2}[.,][0-9]{3}");
                }
            }
            BigDecimal before = seen.putIfAbsent(exact.text(), value);
            assertThat(before == null || before.compareTo(value) == 0).isTrue();
        }
        assertThat(spellings).hasSizeGreaterThan(50_000);
        assertThat(seen).hasSizeGreaterThan(10_000);
    }

    private static BigDecimal randomAmount(Random random) {
        int digits = 1 + random.nextInt(12);
        return new BigDecimal(new BigInteger(digits * 3, random), random.nextInt(5));
    }

    private static List<String> spellingsOf(BigDecimal value, Random random) {
        String[] parts = value.toPlainString().split("\\.", -1);
        String whole = parts[0];
        String decimals = (parts.length == 1 ? "" : parts[1]) + "0".repeat(random.nextInt(3));
        return List.of(
                written(whole, decimals, "."),
                written(whole, decimals, ","),
                written(grouped(whole, ","), decimals, "."),
                written(grouped(whole, "."), decimals, ","),
                written(grouped(whole, " "), decimals, ","),
                written(grouped(whole, "'"), decimals, "."),
                " " + written(grouped(whole, "\u00a0"), decimals, ".") + " ");
    }

    private static String written(String whole, String decimals, String point) {
        return decimals.isEmpty() ? whole : whole + point + decimals;
    }

    private static String grouped(String whole, String separator) {
        StringBuilder grouped = new StringBuilder(whole);
        for (int i = whole.length() - 3; i > 0; i -= 3) {
            grouped.insert(i, separator);
        }
        return grouped.toString();
    }
}
