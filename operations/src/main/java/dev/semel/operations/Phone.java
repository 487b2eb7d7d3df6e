// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A telephone number in the one form that all its spellings share. Spaces, hyphens, points, slashes, brackets and marks
 * of writing direction do not count; letters, extensions and a plus sign in the middle are refused. Then:
 *
 * <ol>
 *   <li>With a plus sign, or with a known region, and valid by the numbering plan (libphonenumber): E.164. In Rwanda
 *       {@code 0788 123 456}, {@code 250788123456} and {@code +250 788 123 456} are all {@code +250788123456}.
 *   <li>With a plus sign, but not valid: the plus sign and the digits as they are.
 *   <li>With a region, but not valid there (a short code, a range that is newer than the tables):
 *       {@code local-<region>-<digits>}.
 *   <li>Without either: {@code local-<digits>}. Nobody knows whose number it is, so it equals no number with a country,
 *       also not when its digits begin like one. {@code 00} is not taken for a plus sign, which it is not everywhere.
 * </ol>
 *
 * <p>The tables of libphonenumber change with its releases. What such a release makes valid changes from the third form
 * to the first, and a retry from before it counts as another one: send international numbers where that matters.
 */
public final class Phone {
    private static final int MAX_TEXT = 100;
    private static final int MIN_DIGITS = 3;
    private static final int MAX_DIGITS = 20;
    private static final String NO_REGION = "ZZ";
    private static final String LOCAL = "local-";

    private final String text;

    private Phone(String text) {
        this.text = text;
    }

    /** A number without a region: only one with a plus sign can be told whose it is. */
    public static Phone of(String written) {
        return new Phone(normalised(dialled(written), null));
    }

    /**
     * A number as it is written in this region; one with a plus sign may be of any.
     *
     * @param region two letters of ISO 3166, such as RW
     * @throws IllegalArgumentException if it is no number, or the region is not known
     */
    public static Phone of(String written, String region) {
        return new Phone(normalised(dialled(written), known(region)));
    }

    private static String normalised(String dialled, @Nullable String region) {
        boolean international = dialled.startsWith("+");
        if (international || region != null) {
            Optional<String> e164 = e164(dialled, region == null ? NO_REGION : region);
            if (e164.isPresent()) {
                return e164.get();
            }
        }
        if (international) {
            return dialled;
        }
        return region == null ? LOCAL + dialled : LOCAL + region + "-" + dialled;
    }

    private static Optional<String> e164(String dialled, String region) {
        PhoneNumberUtil plans = PhoneNumberUtil.getInstance();
        try {
            PhoneNumber number = plans.parse(dialled, region);
            return plans.isValidNumber(number)
                    ? Optional.of(plans.format(number, PhoneNumberFormat.E164))
                    : Optional.empty();
        } catch (NumberParseException e) {
            return Optional.empty();
        }
    }

    private static String known(String region) {
        Objects.requireNonNull(region, "A region must not be null: leave it out if it is not known");
        String upper = region.toUpperCase(Locale.ROOT);
        if (!PhoneNumberUtil.getInstance().getSupportedRegions().contains(upper)) {
            throw new IllegalArgumentException(
                    "A region must be two letters of ISO 3166 that have a numbering plan, such as RW or GB");
        }
        return upper;
    }

    /** What one would dial: a plus sign, if it begins with one, and digits. */
    private static String dialled(String written) {
        Objects.requireNonNull(written, "A phone must not be null");
        if (written.length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    "A phone must have at most %d characters, but has %d".formatted(MAX_TEXT, written.length()));
        }
        StringBuilder dialled = new StringBuilder(written.length());
        int digits = 0;
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c >= '0' && c <= '9') {
                dialled.append(c);
                digits++;
            } else if (c == '+' && dialled.isEmpty()) {
                dialled.append(c);
            } else if (!isSeparator(c)) {
                throw new IllegalArgumentException(
                        "A phone must be digits, with a plus sign in front if it is international, but has another"
                                + " character at index " + i);
            }
        }
        if (digits < MIN_DIGITS || digits > MAX_DIGITS) {
            throw new IllegalArgumentException(
                    "A phone must have %d to %d digits, but has %d".formatted(MIN_DIGITS, MAX_DIGITS, digits));
        }
        return dialled.toString();
    }

    private static boolean isSeparator(char c) {
        return UserText.isWhiteSpace(c)
                || "-.()/\u2212".indexOf(c) >= 0
                // Hyphens and dashes, then what telephones put around a number that is copied.
                || (c >= '\u2010' && c <= '\u2015')
                || c == '\u200e'
                || c == '\u200f'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }

    /** The normalised form: E.164, or one that no E.164 number has. */
    public String text() {
        return text;
    }

    /** Whether the number is valid where it belongs to, or was at least given with its country. */
    public boolean isInternational() {
        return text.startsWith("+");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Phone that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Without the number: it is a person's. */
    @Override
    public String toString() {
        return "phone";
    }
}
