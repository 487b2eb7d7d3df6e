// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON number that keeps its text and is compared by its exact value: {@code 1}, {@code 1.0} and {@code 1e0} are equal,
 * {@code 9007199254740993} and {@code 9007199254740992} are not. Numbers are never rounded. A number that exceeds a limit is
 * rejected.
 */
public final class JsonNumber implements Json {
    /** The maximum length of a number's text. */
    public static final int MAX_LENGTH = 2_000;
    /** The maximum number of significant digits, from the first to the last digit that is not zero. */
    public static final int MAX_DIGITS = 1_000;
    /** The maximum absolute value of the exponent of a number written as {@code d.ddd × 10^exponent}. */
    public static final int MAX_EXPONENT = 9_999;

    private final String text;

    /** Null until it is asked for, if the text is known to be well-formed. Several threads may then make equal ones. */
    private @Nullable Decimal decimal;

    /** Creates a number from its JSON text. Throws {@link IllegalArgumentException} with the reason if it is malformed. */
    public JsonNumber(String text) {
        this.text = Objects.requireNonNull(text, "A number's text must not be null");
        this.decimal = Decimal.of(text);
    }

    private JsonNumber(long value) {
        this.text = Long.toString(value);
    }

    public static JsonNumber of(long value) {
        return new JsonNumber(value);
    }

    private Decimal decimal() {
        Decimal known = decimal;
        if (known == null) {
            known = Decimal.of(text);
            decimal = known;
        }
        return known;
    }

    /** The text as it was written. */
    public String text() {
        return text;
    }

    /** The canonical text, which is equal if and only if the values are equal. See {@link CanonicalJson}. */
    public String canonicalText() {
        return decimal().canonical();
    }

    /** The exact value. */
    public BigDecimal value() {
        return new BigDecimal(decimal().canonical());
    }

    /** Whether the value is a whole number. {@code 1.0} is one. */
    public boolean isWhole() {
        Decimal exact = decimal();
        return exact.digits().length() <= exact.exponent() || exact.digits().isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonNumber that && decimal().equals(that.decimal());
    }

    @Override
    public int hashCode() {
        return decimal().hashCode();
    }

    @Override
    public String toString() {
        return "number";
    }
}
