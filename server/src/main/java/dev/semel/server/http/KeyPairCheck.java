// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * Checks that a private key belongs to its certificate. The JDK does not: with another key, every handshake would fail. That
 * happens if the files are read while they are being replaced.
 */
final class KeyPairCheck {
    /** How to sign with keys of each algorithm. Keys of others are not checked. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private static final byte[] CONTENT = {1, 2, 3};

    private KeyPairCheck() {}

    /**
     * Reads the files and checks them.
     *
     * @throws Exception if they cannot be read, or do not belong together
     */
    static void check(Vertx vertx, PemKeyCertOptions files) throws Exception {
        for (KeyManager manager : files.getKeyManagerFactory(vertx).getKeyManagers()) {
            if (manager instanceof X509KeyManager keys) {
                for (Map.Entry<String, String> algorithm : SIGNATURES.entrySet()) {
                    check(keys, algorithm.getKey(), algorithm.getValue());
                }
            }
        }
    }

    private static void check(X509KeyManager keys, String algorithm, String signature) throws GeneralSecurityException {
        String[] aliases = keys.getServerAliases(algorithm, null);
        if (aliases == null) {
            return;
        }
        for (String alias : aliases) {
            PrivateKey key = keys.getPrivateKey(alias);
            PublicKey certified = keys.getCertificateChain(alias)[0].getPublicKey();
            if (!key.getAlgorithm().equals(certified.getAlgorithm()) || !signs(key, certified, signature)) {
                throw new GeneralSecurityException("The private key does not belong to the certificate");
            }
        }
    }

    private static boolean signs(PrivateKey key, PublicKey certified, String algorithm)
            throws GeneralSecurityException {
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(CONTENT);
        byte[] signed = signing.sign();
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(certified);
        verifying.update(CONTENT);
        return verifying.verify(signed);
    }
}
