// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.internal.HmacSha256;
import dev.semel.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The signature of a site's call events. {@code x-ops-signature} is the hexadecimal HMAC-SHA256 of {@code <x-ops-timestamp>.<raw
 * body>} with the site's secret. The timestamp is in seconds since 1970, or in milliseconds if it has twelve digits or more.
 */
public final class CallSignature {
    /** The default of how far a timestamp may be from now. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final Pattern SIGNATURE = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,15}");
    /** Twelve digits of seconds would be the year 5138. */
    private static final int MILLIS_DIGITS = 12;

    private static final byte[] POINT = {'.'};

    private final HmacSha256 hmac;

    public CallSignature(String secret) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("The secret of a site must not be empty: set calls.sites.<site>.secret");
        }
        this.hmac = new HmacSha256(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** The result of a check. Refuse a request unless it is {@link #VALID}. */
    public enum Check {
        VALID,
        MISSING,
        MALFORMED,
        WRONG,
        /** The signature is right but too old: accept the event only if it is known. */
        TOO_OLD,
        /** The signature is right but too far in the future: accept the event only if it is known. */
        TOO_NEW
    }

    /**
     * Checks a request. The time is checked last, so {@code TOO_OLD} and {@code TOO_NEW} imply a right signature.
     *
     * @param now the time by the caller's clock
     */
    public Check check(
            @Nullable String signature, @Nullable String timestamp, byte[] rawBody, Instant now, Duration tolerance) {
        Objects.requireNonNull(rawBody, "rawBody must not be null");
        if (signature == null || signature.isEmpty() || timestamp == null || timestamp.isEmpty()) {
            return Check.MISSING;
        }
        if (!SIGNATURE.matcher(signature).matches()
                || !TIMESTAMP.matcher(timestamp).matches()) {
            return Check.MALFORMED;
        }
        byte[] sent = HexFormat.of().parseHex(signature);
        if (!MessageDigest.isEqual(sent, hmac(timestamp, rawBody))) {
            return Check.WRONG;
        }
        Duration age = Duration.between(momentOf(timestamp), now);
        if (age.compareTo(tolerance) > 0) {
            return Check.TOO_OLD;
        }
        return age.negated().compareTo(tolerance) > 0 ? Check.TOO_NEW : Check.VALID;
    }

    private static Instant momentOf(String timestamp) {
        long number = Long.parseLong(timestamp);
        return timestamp.length() < MILLIS_DIGITS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number);
    }

    /** Signs a body as a site does. */
    public String sign(String timestamp, byte[] rawBody) {
        return HexFormat.of().formatHex(hmac(timestamp, rawBody));
    }

    /** The hash that is stored of a signature, valid or not: SHA-256 of its lower-case text, in hexadecimal. */
    public static String hashOf(String signature) {
        return Sha256.hex(signature.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    }

    private byte[] hmac(String timestamp, byte[] rawBody) {
        return hmac.of(timestamp.getBytes(StandardCharsets.UTF_8), POINT, rawBody);
    }
}
