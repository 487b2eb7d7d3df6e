// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

/**
 * The exact value of a JSON number: {@code 0.<digits> × 10^exponent}, without leading or trailing zeros in the digits.
 * Zero has no digits. Every value has exactly one such form, so its canonical text is unique.
 */
record Decimal(boolean negative, String digits, int exponent) {
    private static final Decimal ZERO = new Decimal(false, "", 0);

    /** Reads a number by the grammar of RFC 8259. An {@link IllegalArgumentException} has the reason if it is malformed. */
    static Decimal of(String text) {
        return new Reading(text).decimal();
    }

    /** The layout of ECMAScript's {@code Number::toString}, but with all digits of the exact value. */
    String canonical() {
        if (digits.isEmpty()) {
            return "0";
        }
        StringBuilder text = new StringBuilder(digits.length() + 24);
        if (negative) {
            text.append('-');
        }
        int length = digits.length();
        if (length <= exponent && exponent <= 21) {
            text.append(digits).append("0".repeat(exponent - length));
        } else if (0 < exponent && exponent <= 21) {
            text.append(digits, 0, exponent).append('.').append(digits, exponent, length);
        } else if (-6 < exponent && exponent <= 0) {
            text.append("0.").append("0".repeat(-exponent)).append(digits);
        } else {
            appendScientific(text);
        }
        return text.toString();
    }

    private void appendScientific(StringBuilder text) {
        text.append(digits.charAt(0));
        if (digits.length() > 1) {
            text.append('.').append(digits, 1, digits.length());
        }
        int scientific = exponent - 1;
        text.append('e').append(scientific < 0 ? '-' : '+').append(Math.abs(scientific));
    }

    /** One pass over the text of a number. */
    private static final class Reading {
        private static final long HUGE = 1_000_000_000;

        private final String text;
        private int at;

        Reading(String text) {
            this.text = text;
        }

        Decimal decimal() {
            if (text.length() > JsonNumber.MAX_LENGTH) {
                throw new IllegalArgumentException(
                        "a number has more than %d characters".formatted(JsonNumber.MAX_LENGTH));
            }
            boolean negative = skip('-');
            String whole = digits("a number has no digits");
            if (whole.length() > 1 && whole.charAt(0) == '0') {
                throw new IllegalArgumentException("a number has a leading zero");
            }
            String fraction = skip('.') ? digits("a number has no digits after its point") : "";
            long power = skip('e') || skip('E') ? power() : 0;
            if (at < text.length()) {
                throw new IllegalArgumentException("a number has an unexpected character");
            }
            return normal(negative, whole + fraction, whole.length() + power);
        }

        private static Decimal normal(boolean negative, String digits, long exponent) {
            int from = 0;
            int to = digits.length();
            while (from < to && digits.charAt(from) == '0') {
                from++;
            }
            while (to > from && digits.charAt(to - 1) == '0') {
                to--;
            }
            if (from == to) {
                return ZERO;
            }
            long normal = exponent - from;
            if (to - from > JsonNumber.MAX_DIGITS) {
                throw new IllegalArgumentException(
                        "a number has more than %d significant digits".formatted(JsonNumber.MAX_DIGITS));
            }
            if (Math.abs(normal - 1) > JsonNumber.MAX_EXPONENT) {
                throw new IllegalArgumentException(
                        "a number's exponent is larger than %d".formatted(JsonNumber.MAX_EXPONENT));
            }
            return new Decimal(negative, digits.substring(from, to), (int) normal);
        }

        /** Saturates above the limit instead of overflowing. Zero may have any exponent. */
        private long power() {
            boolean negative = skip('-');
            if (!negative) {
                skip('+');
            }
            String digits = digits("a number has no digits in its exponent");
            long power = 0;
            for (int i = 0; i < digits.length() && power < HUGE; i++) {
                power = power * 10 + (digits.charAt(i) - '0');
            }
            return negative ? -power : power;
        }

        private boolean skip(char expected) {
            boolean there = at < text.length() && text.charAt(at) == expected;
            if (there) {
                at++;
            }
            return there;
        }

        private String digits(String ifNone) {
            int from = at;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                at++;
            }
            if (at == from) {
                throw new IllegalArgumentException(ifNone);
            }
            return text.substring(from, at);
        }
    }
}
