// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonString;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An amount of money, compared by its exact value: {@code 1000}, {@code "1000.0"} and {@code "1,000.00"} are equal. The
 * caller chooses the unit, which must be the same in every retry.
 *
 * <p>A JSON number and a {@link BigDecimal} are taken exactly. Text is read by these rules. Ambiguous text is refused:
 *
 * <ol>
 *   <li>Digits are 0 to 9. White space at both ends is ignored.
 *   <li>Digits alone are a whole number: {@code 1000}. Leading zeros are refused, because some formats use zero-padded
 *       amounts in cents.
 *   <li>A single point or comma separates the decimals: {@code 1000.5}, {@code 12,50}, {@code 0.125}.
 *   <li><b>Exception:</b> one to three digits, a point or comma, and exactly three digits are ambiguous and refused:
 *       {@code 1.000} and {@code 1,000} can be a thousand or one. {@code 0.500} and {@code 1000.500} are not ambiguous,
 *       because thousands are not written that way.
 *   <li>Thousands may be grouped by threes with points, commas, spaces (U+0020, U+00A0, U+2009, U+202F) or apostrophes
 *       (U+0027, U+2019), always the same one, or in the Indian way ({@code 12,34,567}). A separator groups thousands if
 *       it is repeated, if it is a space or an apostrophe, or if another separator with decimals follows:
 *       {@code 1,000,000}, {@code 1 000}, {@code 1.000,00}, {@code 1'000.50}.
 *   <li>Signs, exponents, currencies and all other characters are refused. So are negative numbers, and more than 30
 *       digits before or after the point.
 * </ol>
 */
public final class Amount {
    private static final int MAX_TEXT = 100;
    private static final int MAX_DIGITS = 30;

    private static final Pattern SIMPLE = Pattern.compile("(0|[1-9][0-9]*)(?:[.,]([0-9]+))?");
    private static final Pattern AMBIGUOUS = Pattern.compile("[1-9][0-9]{0,2}[.,][0-9]{3}");
    private static final Pattern GROUPED = Pattern.compile(
            "([1-9][0-9]{0,2}([.,' \u00a0\u2009\u202f\u2019])[0-9]{3}(?:\\2[0-9]{3})*)(?:(?!\\2)[.,]([0-9]+))?");
    private static final Pattern INDIAN = Pattern.compile("([1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})(?:[.]([0-9]+))?");

    private final String text;

    private Amount(BigDecimal value) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException("An amount must not be negative");
        }
        BigDecimal exact = value.stripTrailingZeros();
        if ((long) exact.precision() - exact.scale() > MAX_DIGITS || exact.scale() > MAX_DIGITS) {
            throw new IllegalArgumentException(
                    "An amount must have at most %d digits before and after the point".formatted(MAX_DIGITS));
        }
        this.text = exact.signum() == 0 ? "0" : exact.toPlainString();
    }

    public static Amount of(long value) {
        return new Amount(BigDecimal.valueOf(value));
    }

    public static Amount of(BigDecimal value) {
        return new Amount(Objects.requireNonNull(value, "An amount must not be null"));
    }

    /**
     * Reads text by the rules above.
     *
     * @throws IllegalArgumentException if the text is invalid or ambiguous; the message says how to write it instead
     */
    public static Amount of(String written) {
        Objects.requireNonNull(written, "An amount must not be null");
        if (written.length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "An amount must have at most %d characters, but has %d".formatted(MAX_TEXT, written.length()));
        }
        String amount = UserText.trimmed(written);
        if (AMBIGUOUS.matcher(amount).matches()) {
            throw new IllegalArgumentException(
                    "An amount is ambiguous: three digits after its only separator can be thousands or decimals; send a"
                            + " JSON number, omit the thousands separator, or use a number of decimals other than three");
        }
        Matcher simple = SIMPLE.matcher(amount);
        if (simple.matches()) {
            return of(simple.group(1), simple.group(2));
        }
        Matcher grouped = GROUPED.matcher(amount);
        if (grouped.matches()) {
            return of(grouped.group(1), grouped.group(3));
        }
        Matcher indian = INDIAN.matcher(amount);
        if (indian.matches()) {
            return of(indian.group(1), indian.group(2));
        }
        throw new IllegalArgumentException(
                "An amount must be written with digits, such as 1000 or 1000.50, without a currency, a sign, an exponent"
                        + " or leading zeros; thousands are grouped by threes and by one kind of separator");
    }

    /** Reads a JSON number by its exact value, and a JSON string by the rules for text. */
    public static Amount of(Json json) {
        if (json instanceof JsonNumber number) {
            return new Amount(number.value());
        }
        if (json instanceof JsonString string) {
            return of(string.value());
        }
        throw new IllegalArgumentException("An amount must be a JSON number or a JSON string");
    }

    private static Amount of(String whole, @Nullable String decimals) {
        String digits = whole.replaceAll("[^0-9]", "");
        return new Amount(new BigDecimal(decimals == null ? digits : digits + "." + decimals));
    }

    /** The value in plain decimal digits without trailing zeros. Equal amounts, and only those, have equal texts. */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Amount that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Omits the value, because it is confidential. */
    @Override
    public String toString() {
        return "amount";
    }
}
