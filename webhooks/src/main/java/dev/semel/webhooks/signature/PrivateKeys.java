// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/** Private keys of senders, to sign deliveries for a test. */
public final class PrivateKeys {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private PrivateKeys() {}

    /**
     * Reads a private key (RSA, EC or Ed25519) in the PEM format of PKCS #8.
     *
     * @throws IllegalArgumentException if it is not such a key. The message contains nothing of it
     */
    public static PrivateKey read(String pem) {
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin >= 0 && end > begin) {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
            for (String type : List.of("RSA", "EC", "Ed25519")) {
                try {
                    return KeyFactory.getInstance(type).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                } catch (GeneralSecurityException e) {
                    // Try the next type.
                }
            }
        }
        throw new IllegalArgumentException("A private key must be RSA, EC or Ed25519 in the PEM format of PKCS #8 (%s)"
                .formatted("convert it with `openssl pkcs8 -topk8 -nocrypt`"));
    }

    /**
     * Signs these parts, concatenated.
     *
     * @throws IllegalArgumentException if the key is not one for this algorithm
     */
    public static byte[] sign(PrivateKey key, String algorithm, byte[]... parts) {
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            for (byte[] part : parts) {
                signer.update(part);
            }
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "The private key is of the type %s, which does not sign with %s"
                            .formatted(key.getAlgorithm(), algorithm),
                    e);
        }
    }
}
