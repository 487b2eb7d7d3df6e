// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;

/** The active public keys of a sender. */
public final class PublicKeys {
    /** The prefix that turns the 32 bytes of an Ed25519 key into the structure that the JDK reads (RFC 8410). */
    private static final byte[] ED25519_PREFIX = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0};

    private final String algorithm;
    private final List<PublicKey> keys;

    private PublicKeys(String algorithm, List<PublicKey> keys) {
        this.algorithm = algorithm;
        this.keys = keys;
    }

    /**
     * Keys as senders show them: base64, with or without PEM header and footer.
     *
     * @param factory such as RSA, EC or Ed25519
     * @param algorithm such as SHA256withRSA
     */
    public static PublicKeys of(String factory, String algorithm, List<String> keys) {
        return new PublicKeys(
                algorithm,
                keys.stream()
                        .map(key -> read(factory, decoded(key.replaceAll("-----[A-Z ]+-----|\\s", ""))))
                        .toList());
    }

    /** Ed25519 keys from their raw 32 bytes. */
    public static PublicKeys ed25519(List<byte[]> raw) {
        return new PublicKeys(
                "Ed25519",
                raw.stream().map(key -> read("Ed25519", wrapped(key))).toList());
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Whether the signature of these parts is valid for one of the keys. */
    public boolean verify(byte[] signature, byte[]... parts) {
        boolean found = false;
        for (PublicKey key : keys) {
            found |= verifies(key, algorithm, signature, parts);
        }
        return found;
    }

    /** Whether the signature of these parts is valid for this key. A malformed signature is not. */
    public static boolean verifies(PublicKey key, String algorithm, byte[] signature, byte[]... parts) {
        try {
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(key);
            for (byte[] part : parts) {
                verifier.update(part);
            }
            return verifier.verify(signature);
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    private static byte[] decoded(String base64) {
        return Encoding.BASE64
                .decode(base64)
                .orElseThrow(() ->
                        new IllegalArgumentException("A webhook's public key must be base64, as its sender shows it"));
    }

    private static byte[] wrapped(byte[] raw) {
        byte[] whole = new byte[ED25519_PREFIX.length + raw.length];
        System.arraycopy(ED25519_PREFIX, 0, whole, 0, ED25519_PREFIX.length);
        System.arraycopy(raw, 0, whole, ED25519_PREFIX.length, raw.length);
        return whole;
    }

    private static PublicKey read(String factory, byte[] encoded) {
        try {
            return KeyFactory.getInstance(factory).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("A webhook's public key is not a valid " + factory + " key", e);
        }
    }
}
