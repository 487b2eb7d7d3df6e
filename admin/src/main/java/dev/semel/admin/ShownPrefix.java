// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What logs and answers show of a key: the beginning of a digest in hexadecimal, or a word such as {@code ev_} and then the
 * beginning of the digest, 16 characters together. A word of 8 characters may lack its underscore.
 */
final class ShownPrefix {
    private static final Pattern FORM =
            Pattern.compile("(?:[^_]{1,7}_)?([0-9a-fA-F]{6,64})|[^_]{8}([0-9a-fA-F]{8})", Pattern.DOTALL);

    private ShownPrefix() {}

    /** The digits of the digest, in lower case; empty if there are fewer than 6, or something else. */
    static Optional<String> digits(String shown) {
        Matcher form = FORM.matcher(shown);
        if (!form.matches()) {
            return Optional.empty();
        }
        String digits = form.group(1) == null ? form.group(2) : form.group(1);
        return Optional.of(digits.toLowerCase(Locale.ROOT));
    }
}
