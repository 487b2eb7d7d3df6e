// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

/**
 * Masks unstructured text: phone numbers as {@link PhoneMask#inText} does, and the values of sensitive names. After
 * {@code name=} the value ends at the next white space, {@code &}, {@code ;} or {@code ,}. After {@code name:} it ends at the
 * end of the line. After the name of a phone number, the digits that follow directly are masked. The time is linear in
 * the length of the text.
 */
final class PlainText {
    private final SensitiveNames names;

    PlainText(SensitiveNames names) {
        this.names = names;
    }

    /** The text without sensitive content. */
    String masked(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int end = endOfWord(text, at);
            if (end == at) {
                out.append(text.charAt(at++));
                continue;
            }
            out.append(text, at, end);
            int value = startOfValue(text, end);
            String name = text.substring(at, end);
            at = end;
            if (value > end && names.isSensitive(name)) {
                at = endOfValue(text, value);
                out.append(text, end, value).append(at > value ? Redaction.REDACTED : "");
            } else if (value > end && (names.isPhone(name) || names.mayBePhone(name))) {
                int number = startOfNumber(text, value);
                at = PhoneMask.endOfNumber(text, number);
                String digits = text.substring(number, at);
                out.append(text, end, number)
                        .append(names.isPhone(name) ? PhoneMask.whole(digits) : PhoneMask.ifPhone(digits));
            }
        }
        return PhoneMask.inText(out.toString());
    }

    private static int endOfWord(String text, int from) {
        int at = from;
        while (at < text.length() && isWord(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-';
    }

    /** The index after a colon or an equals sign and one space, after an optional quote and space; else the word's end. */
    private static int startOfValue(String text, int end) {
        int quote = skip(text, end, '"');
        int sign = skip(text, quote == end ? skip(text, end, '\'') : quote, ' ');
        boolean signed = sign < text.length() && (text.charAt(sign) == '=' || text.charAt(sign) == ':');
        return signed ? skip(text, sign + 1, ' ') : end;
    }

    private static int skip(String text, int at, char one) {
        return at < text.length() && text.charAt(at) == one ? at + 1 : at;
    }

    /** The index after quotes, blanks, an opening bracket, and a form-encoded plus sign or blank. */
    private static int startOfNumber(String text, int value) {
        int at = value;
        while (at < text.length()) {
            if (text.regionMatches(true, at, "%2B", 0, 3) || text.startsWith("%20", at)) {
                at += 3;
            } else if ("\"'[ \t".indexOf(text.charAt(at)) >= 0) {
                at++;
            } else {
                break;
            }
        }
        return at;
    }

    private static int endOfValue(String text, int start) {
        char sign = text.charAt(text.charAt(start - 1) == ' ' ? start - 2 : start - 1);
        int at = start;
        while (at < text.length() && !ends(text.charAt(at), sign == ':')) {
            at++;
        }
        return at;
    }

    private static boolean ends(char c, boolean toEndOfLine) {
        if (c == '\n' || c == '\r') {
            return true;
        }
        return !toEndOfLine && (Character.isWhitespace(c) || c == '&' || c == ';' || c == ',');
    }
}
