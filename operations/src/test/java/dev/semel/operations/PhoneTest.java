// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhoneTest {
    @ParameterizedTest
    @CsvSource({
        "0788 123 456, RW, +250788123456",
        "788123456, RW, +250788123456",
        "250788123456, RW, +250788123456",
        "+250 (788) 123-456, RW, +250788123456",
        "00250 788 123 456, RW, +250788123456",
        "+250788123456, DE, +250788123456",
        "0788123456, rw, +250788123456",
        "020 7946 0018, GB, +442079460018",
        "+44 (0)20 7946 0018, GB, +442079460018",
        "(650) 253-0000, US, +16502530000",
        "1-650-253-0000, US, +16502530000",
        "011 250 788 123 456, US, +250788123456",
        "650.253.0000, CA, +16502530000",
        "02 123 12345, IT, +390212312345",
        "030/123456, DE, +4930123456",
        "\u202a+250 788 123 456\u202c, RW, +250788123456",
        "0788\u2011123\u2011456, RW, +250788123456",
    })
    void aKnownRegionGivesE164(String written, String region, String expected) {
        Phone phone = Phone.of(written, region);

        assertThat(phone.text()).isEqualTo(expected);
        assertThat(phone.isInternational()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"+250788123456", "+250 788 123 456", "+250-(788).123/456", "\u200e+250788123456"})
    void anInternationalNumberNeedsNoRegion(String written) {
        assertThat(Phone.of(written)).isEqualTo(Phone.of("0788123456", "RW"));
    }

    @Test
    void aNumberWithoutARegionEqualsNoNumberOfACountry() {
        assertThat(Phone.of("250788123456").text()).isEqualTo("local-250788123456");
        assertThat(Phone.of("250 788 123 456")).isEqualTo(Phone.of("250788123456"));
        assertThat(Phone.of("250788123456")).isNotEqualTo(Phone.of("+250788123456"));
        assertThat(Phone.of("00250788123456")).isNotEqualTo(Phone.of("+250788123456"));
        assertThat(Phone.of("0788123456")).isNotEqualTo(Phone.of("0788123456", "RW"));
        assertThat(Phone.of("0788123456")).isNotEqualTo(Phone.of("788123456"));
        assertThat(Phone.of("0788123456").isInternational()).isFalse();
    }

    @Test
    void anInvalidNumberKeepsItsDigitsAndRegion() {
        assertThat(Phone.of("12345", "RW").text()).isEqualTo("local-RW-12345");
        assertThat(Phone.of("012345", "RW").text()).isEqualTo("local-RW-012345");
        assertThat(Phone.of("12345", "KE").text()).isEqualTo("local-KE-12345");
        assertThat(Phone.of("12345").text()).isEqualTo("local-12345");
        assertThat(Phone.of("+250 12345").text()).isEqualTo("+25012345");
        assertThat(Phone.of("+0788123456").text()).isEqualTo("+0788123456");
        assertThat(Phone.of("46733123450", "RW").text()).isEqualTo("local-RW-46733123450");
    }

    @Test
    void oneNumberInTwoCountriesIsTwoNumbers() {
        assertThat(Phone.of("0788123456", "RW")).isNotEqualTo(Phone.of("0788123456", "KE"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "12",
                "+",
                "hello",
                "0788123456 ext 5",
                "0788123456x5",
                "+250+788123456",
                "0788+123456",
                "1-800-FLOWERS",
                "250788123456@c.us",
                "tel:+250788123456",
                "0788123456;0788123457",
                "\uff0b250788123456",
                "\u0660\u0661\u0662\u0663\u0664",
                "123456789012345678901",
            })
    void invalidTextIsRefusedWithoutShowingIt(String written) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Phone.of(written, "RW"))
                .withMessageStartingWith("A phone must")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("788"));
    }

    @Test
    void aRegionMustHaveANumberingPlan() {
        assertThatThrownBy(() -> Phone.of("0788123456", "UK")).hasMessageContaining("ISO 3166");
        assertThatThrownBy(() -> Phone.of("0788123456", "")).hasMessageContaining("ISO 3166");
        assertThatThrownBy(() -> Phone.of("0788123456", "ZZ")).hasMessageContaining("ISO 3166");
        assertThatThrownBy(() -> Phone.of("1".repeat(101))).hasMessageContaining("100 characters");
    }

    @Test
    void toStringOmitsTheNumber() {
        assertThat(Phone.of("+250788123456").toString()).doesNotContain("788");
    }

    /** Rwandan mobile numbers in seven notations each. */
    @Test
    void notationsOfOneNumberAreEqualAndThoseOfTwoAreNot() {
        Random random = new Random(20260102);
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < 2_000; i++) {
            String national = "7" + "2389".charAt(random.nextInt(4)) + "%07d".formatted(random.nextInt(10_000_000));
            List<String> spellings = List.of(
                    national,
                    "0" + national,
                    "250" + national,
                    "+250" + national,
                    "00250" + national,
                    "+250 " + national.substring(0, 3) + " " + national.substring(3, 6) + " " + national.substring(6),
                    "(0" + national.substring(0, 3) + ") " + national.substring(3, 6) + "-" + national.substring(6));

            assertThat(spellings)
                    .extracting(written -> Phone.of(written, "RW").text())
                    .containsOnly("+250" + national);
            assertThat(seen.put("+250" + national, national)).isIn(null, national);
        }
        assertThat(seen).hasSizeGreaterThan(1_900);
    }
}
