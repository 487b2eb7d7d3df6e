// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

/**
 * Masks phone numbers except for their last two to four digits. At most a third of the digits stays visible, so that a
 * short number is not readable. The time is linear in the length of the text.
 */
public final class PhoneMask {
    private static final char MASK = '*';
    private static final int MIN_DIGITS = 8;
    /** A text that is only a number may be a local number, which is shorter. */
    private static final int MIN_DIGITS_ALONE = 7;

    private static final int MAX_DIGITS = 15;
    /** Two separators in a row occur in {@code +41 (0)79}. Three end the number. */
    private static final int MAX_SEPARATORS = 2;

    private PhoneMask() {}

    /**
     * Masks international numbers inside any text: a plus sign and at least 8 digits, with up to two spaces, hyphens, points,
     * slashes or brackets between them. A number ends after 15 digits if a separator follows. A longer uninterrupted run of
     * digits is masked as a whole, because masking too much is the safe choice.
     */
    public static String inText(String text) {
        int plus = nextPlus(text, 0);
        if (plus < 0) {
            return text;
        }
        StringBuilder masked = new StringBuilder(text.length());
        int done = 0;
        while (plus >= 0) {
            Run run = Run.after(text, plus + 1);
            masked.append(text, done, plus + 1);
            if (run.digits >= MIN_DIGITS) {
                appendMasked(masked, text, plus + 1, run.end, run.digits);
            } else {
                masked.append(text, plus + 1, run.end);
            }
            done = run.end;
            plus = nextPlus(text, done);
        }
        return masked.append(text, done, text.length()).toString();
    }

    /** Masks a text that is known to be a phone number, except for separators and the last digits. */
    public static String whole(String text) {
        int digits = (int) text.codePoints().filter(Character::isDigit).count();
        StringBuilder masked = new StringBuilder(text.length());
        appendMasked(masked, text, 0, text.length(), digits);
        return masked.toString();
    }

    /**
     * Masks a text that may be a phone number. It is one if it has 7 to 15 digits, an optional plus sign before them, and
     * only spaces or brackets between them. Other separators do not count, because dates have them. Any other text is masked
     * as by {@link #inText}.
     */
    public static String ifPhone(String text) {
        return looksLikePhone(text) ? whole(text) : inText(text);
    }

    private static boolean looksLikePhone(String text) {
        int digits = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (Character.isDigit(c)) {
                digits++;
            } else if (!(isSpaceOrBracket(c) || Character.isWhitespace(c) || (isPlus(c) && digits == 0))) {
                return false;
            }
            i += Character.charCount(c);
        }
        return digits >= MIN_DIGITS_ALONE && digits <= MAX_DIGITS;
    }

    /** The end of the digits, plus signs and separators from this index on, or the index itself if there are none. */
    static int endOfNumber(String text, int start) {
        int end = start;
        for (int i = start; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (!Character.isDigit(c) && !isPlus(c) && !isSeparator(c)) {
                break;
            }
            i += Character.charCount(c);
            end = Character.isDigit(c) ? i : end;
        }
        return end;
    }

    private static void appendMasked(StringBuilder masked, String text, int from, int to, int digits) {
        int hidden = digits - shown(digits);
        int seen = 0;
        for (int i = from; i < to; ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (Character.isDigit(c)) {
                seen++;
                masked.appendCodePoint(seen > hidden ? c : MASK);
            } else {
                masked.appendCodePoint(isSeparator(c) || isPlus(c) ? c : MASK);
            }
        }
    }

    /** The number of visible digits: none of fewer than four digits, otherwise a third, but at least two and at most four. */
    private static int shown(int digits) {
        return digits < 4 ? 0 : Math.max(2, Math.min(4, digits / 3));
    }

    private static int nextPlus(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (isPlus(text.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isPlus(int c) {
        return c == '+' || c == '\uff0b';
    }

    private static boolean isSeparator(int c) {
        return isSpaceOrBracket(c) || c == '-' || c == '.' || c == '/';
    }

    private static boolean isSpaceOrBracket(int c) {
        return c == ' ' || c == '(' || c == ')' || c == '\u00a0';
    }

    /** The groups of digits after a plus sign. It ends after the last digit of the number. */
    private static final class Run {
        int digits;
        int end;

        private Run(int start) {
            this.end = start;
        }

        static Run after(String text, int start) {
            Run run = new Run(start);
            int at = start;
            while (at < text.length()) {
                int separators = separatorsAt(text, at);
                int groupEnd = at + separators;
                int group = 0;
                while (groupEnd < text.length() && Character.isDigit(text.codePointAt(groupEnd))) {
                    groupEnd += Character.charCount(text.codePointAt(groupEnd));
                    group++;
                }
                boolean next = run.digits >= MIN_DIGITS && run.digits + group > MAX_DIGITS;
                if (group == 0 || separators > MAX_SEPARATORS || next) {
                    break;
                }
                run.digits += group;
                run.end = groupEnd;
                at = groupEnd;
            }
            return run;
        }

        private static int separatorsAt(String text, int at) {
            int count = 0;
            while (count <= MAX_SEPARATORS && at + count < text.length() && isSeparator(text.charAt(at + count))) {
                count++;
            }
            return count;
        }
    }
}
