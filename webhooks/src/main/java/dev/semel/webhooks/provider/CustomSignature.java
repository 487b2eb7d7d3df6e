// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.PublicKeys;
import dev.semel.webhooks.signature.SigningKeys;
import dev.semel.webhooks.signature.Tolerance;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Verifies the signature of a custom sender. The signed content is a template of {@code {body}}, {@code {timestamp}} (the
 * header in {@code signature.timestamp_header}), {@code {url}} and {@code {header:Name}}.
 */
final class CustomSignature {
    static final String DEFAULT_HEADER = "X-Signature";

    private final String header;
    private final String prefix;
    private final Encoding encoding;
    private final SignedContent content;
    private final Optional<String> timestampHeader;
    private final Tolerance tolerance;
    private final Matcher matcher;

    /** Checks a signature of these bytes. */
    private interface Matcher {
        boolean matches(byte[] signature, byte[] content);
    }

    private CustomSignature(ProviderConfig config, Matcher matcher) {
        this.header = config.one("signature.header").orElse(DEFAULT_HEADER);
        this.prefix = config.one("signature.prefix").orElse("");
        this.encoding = encoding(config.one("signature.encoding").orElse("hex"));
        this.timestampHeader = config.one("signature.timestamp_header");
        this.content = content(config);
        boolean timed = content.isTimed();
        this.tolerance = config.tolerance(timed ? Duration.ofMinutes(5) : Duration.ZERO);
        if (!timed && !tolerance.past().isZero()) {
            throw new IllegalArgumentException("tolerance_seconds requires a signed timestamp: add {timestamp} to"
                    + " signature.content and set signature.timestamp_header");
        }
        this.matcher = matcher;
    }

    /** The template of the signed content. */
    static SignedContent content(ProviderConfig config) {
        return SignedContent.of(
                config.one("signature.content").orElse("{body}"),
                config.one("signature.timestamp_header"),
                PublicUrl.of(config));
    }

    static Signature of(ProviderConfig config) {
        String algorithm = config.one("signature.algorithm").orElse("hmac-sha256");
        SigningKeys keys = config.keys();
        Matcher matcher = algorithm.startsWith("hmac-")
                ? hmacs(hmac(algorithm), keys)
                : PublicKeys.of(keyType(algorithm), jdkName(algorithm), config.all("public_keys"))::verify;
        boolean without = algorithm.startsWith("hmac-")
                ? keys.isEmpty()
                : config.all("public_keys").isEmpty();
        CustomSignature signature = new CustomSignature(config, matcher);
        return Signature.of(without, signature::verify);
    }

    private static Matcher hmacs(Hmac hmac, SigningKeys keys) {
        return (given, content) -> keys.verify(hmac, given, content);
    }

    static Hmac hmac(String algorithm) {
        return switch (algorithm) {
            case "hmac-sha1" -> Hmac.SHA1;
            case "hmac-sha256" -> Hmac.SHA256;
            case "hmac-sha512" -> Hmac.SHA512;
            default -> throw unknown(algorithm);
        };
    }

    private static String keyType(String algorithm) {
        return switch (algorithm) {
            case "rsa-sha256" -> "RSA";
            case "ecdsa-sha256" -> "EC";
            case "ed25519" -> "Ed25519";
            default -> throw unknown(algorithm);
        };
    }

    /** The JDK's name of an algorithm with a private key. */
    static String jdkName(String algorithm) {
        return switch (algorithm) {
            case "rsa-sha256" -> "SHA256withRSA";
            case "ecdsa-sha256" -> "SHA256withECDSA";
            case "ed25519" -> "Ed25519";
            default -> throw unknown(algorithm);
        };
    }

    private static IllegalArgumentException unknown(String algorithm) {
        return new IllegalArgumentException("signature.algorithm must be hmac-sha1, hmac-sha256,"
                + " hmac-sha512, rsa-sha256, ecdsa-sha256 or ed25519, but is " + algorithm);
    }

    private Verification verify(WebhookRequest request, Instant now) {
        Optional<String> value = request.headers().one(header);
        Optional<String> time = timestampHeader.flatMap(request.headers()::one);
        Optional<byte[]> signed = content.in(request);
        if (value.isEmpty() || signed.isEmpty()) {
            return Verification.MISSING;
        }
        if (!value.get().startsWith(prefix)) {
            return Verification.MALFORMED;
        }
        boolean matches = encoding.decode(value.get().substring(prefix.length()))
                .filter(given -> matcher.matches(given, signed.get()))
                .isPresent();
        if (!matches) {
            return Verification.WRONG;
        }
        return !content.isTimed() || tolerance.allows(time.orElse(""), now)
                ? Verification.VERIFIED
                : Verification.OUT_OF_TIME;
    }

    static Encoding encoding(String name) {
        return switch (name) {
            case "hex" -> Encoding.HEX;
            case "base64" -> Encoding.BASE64;
            default -> throw new IllegalArgumentException("signature.encoding must be hex or base64, but is " + name);
        };
    }
}
