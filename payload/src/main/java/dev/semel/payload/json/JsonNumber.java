// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON number, kept by its own text and compared by its exact value: {@code 1}, {@code 1.0} and {@code 1e0} are equal,
 * {@code 9007199254740993} and {@code 9007199254740992} are not. Nothing is ever rounded; what is over a bound is refused.
 */
public final class JsonNumber implements Json {
    /** The most characters a number may be written with. */
    public static final int MAX_LENGTH = 2_000;
    /** The most digits a number may have between its first and its last that is not zero. */
    public static final int MAX_DIGITS = 1_000;
    /** The largest exponent, up or down, of a number written as {@code d.ddd × 10^exponent}. */
    public static final int MAX_EXPONENT = 9_999;

    private final String text;
    private final Decimal decimal;

    /** A number as a document writes it; {@link IllegalArgumentException} says why if JSON has no such number. */
    public JsonNumber(String text) {
        this.text = Objects.requireNonNull(text, "A number's text must not be null");
        this.decimal = Decimal.of(text);
    }

    public static JsonNumber of(long value) {
        return new JsonNumber(Long.toString(value));
    }

    /** As it was written. */
    public String text() {
        return text;
    }

    /** Equal for equal values, and only for those; see {@link CanonicalJson} for the rule. */
    public String canonicalText() {
        return decimal.canonical();
    }

    /** The exact value. */
    public BigDecimal value() {
        return new BigDecimal(decimal.canonical());
    }

    /** Whether the value is a whole number, however it is written. */
    public boolean isWhole() {
        return decimal.digits().length() <= decimal.exponent()
                || decimal.digits().isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonNumber that && decimal.equals(that.decimal);
    }

    @Override
    public int hashCode() {
        return decimal.hashCode();
    }

    @Override
    public String toString() {
        return "number";
    }
}
