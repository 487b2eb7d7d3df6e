// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

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
 * What a site signs: {@code x-ops-signature} is the hexadecimal HMAC-SHA256, by the site's secret, of {@code
 * <x-ops-timestamp>.<raw body>}, the timestamp in seconds since 1970, or
 * in milliseconds if it has twelve digits or more.
 */
public final class CallSignature {
    /** How far a timestamp may be from now. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final Pattern SIGNATURE = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,15}");
    /** As seconds, twelve digits would be the year 5138. */
    private static final int MILLIS_DIGITS = 12;

    private static final byte[] POINT = {'.'};

    private final HmacSha256 hmac;

    public CallSignature(String secret) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("A site's secret must not be empty: set calls.sites.<site>.secret");
        }
        this.hmac = new HmacSha256(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a request is the site's. Everything but {@link #VALID} is a reason to refuse it. */
    public enum Check {
        VALID,
        MISSING,
        MALFORMED,
        WRONG,
        /** Signed by the site, but too long ago: accept it only if it is known already. */
        TOO_OLD,
        /** Signed by the site, but too far ahead: accept it only if it is known already. */
        TOO_NEW
    }

    /**
     * Checks the signature first and the time last, so that only what the site has signed is ever found too old.
     *
     * @param now the caller's clock
     */
    public Check check(
            @Nullable String signature, @Nullable String timestamp, byte[] rawBody, Instant now, Duration tolerance) {
        Objects.requireNonNull(rawBody, "A body must not be null");
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

    /** The signature of a body at a moment, as a site makes it. */
    public String sign(String timestamp, byte[] rawBody) {
        return HexFormat.of().formatHex(hmac(timestamp, rawBody));
    }

    /** What is stored of a signature, whether it is valid or not: SHA-256 of its lower-cased text, in hexadecimal. */
    public static String hashOf(String signature) {
        return Sha256.hex(signature.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    }

    private byte[] hmac(String timestamp, byte[] rawBody) {
        return hmac.of(timestamp.getBytes(StandardCharsets.UTF_8), POINT, rawBody);
    }
}
