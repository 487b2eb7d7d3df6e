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
 * A phone number, normalized so that all of its notations are equal. Spaces, hyphens, points, slashes, brackets and marks of
 * writing direction are ignored. Letters, extensions and a plus sign in the middle are refused. The form depends on the number:
 *
 * <ol>
 *   <li>With a plus sign or a region, and valid by the numbering plan (libphonenumber): E.164. In Rwanda
 *       {@code 0788 123 456}, {@code 250788123456} and {@code +250 788 123 456} are all {@code +250788123456}.
 *   <li>With a plus sign, but not valid: the plus sign and the digits.
 *   <li>With a region, but not valid there (a short code, a range that is newer than the tables):
 *       {@code local-<region>-<digits>}.
 *   <li>With neither: {@code local-<digits>}. The country is unknown, so the number equals no number with a country, even if
 *       its digits begin with a country code. {@code 00} is not read as a plus sign, because it is not one everywhere.
 * </ol>
 *
 * <p>The tables of libphonenumber change with its releases. A number that becomes valid changes from the third form to the
 * first, so a retry across such an upgrade is not recognized as a duplicate. Send international numbers to avoid this.
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

    /** A number without a region. Its country is known only if it has a plus sign. */
    public static Phone of(String written) {
        return new Phone(normalized(dialled(written), null));
    }

    /**
     * A number as it is written in this region. A number with a plus sign may belong to any region.
     *
     * @param region two letters of ISO 3166, such as RW
     * @throws IllegalArgumentException if the number is invalid or the region is unknown
     */
    public static Phone of(String written, String region) {
        return new Phone(normalized(dialled(written), known(region)));
    }

    private static String normalized(String dialled, @Nullable String region) {
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
        Objects.requireNonNull(region, "A region must not be null: omit it if it is unknown");
        String upper = region.toUpperCase(Locale.ROOT);
        if (!PhoneNumberUtil.getInstance().getSupportedRegions().contains(upper)) {
            throw new IllegalArgumentException(
                    "A region must be two letters of ISO 3166 that have a numbering plan, such as RW or GB");
        }
        return upper;
    }

    /** The digits to dial, with a leading plus sign if there is one. */
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
                        "A phone must have only digits, after a plus sign if it is international, but has another"
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
                // Hyphens and dashes, then the marks that phones add around a copied number.
                || (c >= '\u2010' && c <= '\u2015')
                || c == '\u200e'
                || c == '\u200f'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }

    /** The normalized form: E.164, or a form that no E.164 number has. */
    public String text() {
        return text;
    }

    /** Whether the country of the number is known: it is valid in its region, or was given with a plus sign. */
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

    /** Omits the number, because it is personal data. */
    @Override
    public String toString() {
        return "phone";
    }
}
