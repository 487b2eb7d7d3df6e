// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * Signs webhooks as PayPal does, with a certificate of its own authority. The JDK's keytool makes both.
 */
public final class PayPalSender {
    private static final String PASSWORD = "changeit";
    private static final PayPalSender MADE = of("messageverificationcerts.paypal.com");

    private final X509Certificate authority;
    private final X509Certificate leaf;
    private final PrivateKey key;

    private PayPalSender(X509Certificate authority, X509Certificate leaf, PrivateKey key) {
        this.authority = authority;
        this.leaf = leaf;
        this.key = key;
    }

    /** With a certificate whose name PayPal could have. */
    public static PayPalSender made() {
        return MADE;
    }

    /** With a certificate of this name. */
    public static PayPalSender of(String name) {
        try {
            Path folder = Files.createTempDirectory("certificates");
            try {
                return in(folder, name);
            } finally {
                try (var files = Files.list(folder)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PayPalSender in(Path folder, String name) throws IOException {
        Path store = folder.resolve("keys.p12");
        // PayPal signs with RSA, so the leaf does too. The key of the authority is of a kind that is made quickly.
        keytool(store, "-genkeypair", "-alias", "ca", "-dname", "CN=Test CA", "-ext", "bc:c", "-keyalg", "EC");
        keytool(
                store,
                "-genkeypair",
                "-alias",
                "leaf",
                "-dname",
                "CN=" + name,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-signer",
                "ca",
                "-ext",
                "san=dns:" + name);
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(new ByteArrayInputStream(Files.readAllBytes(store)), PASSWORD.toCharArray());
            Certificate[] chain = keys.getCertificateChain("leaf");
            return new PayPalSender(
                    (X509Certificate) keys.getCertificate("ca"), (X509Certificate) chain[0], (PrivateKey)
                            keys.getKey("leaf", PASSWORD.toCharArray()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("keytool made an unexpected key", e);
        }
    }

    private static void keytool(Path store, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(Arrays.asList(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new AssertionError("keytool failed: " + said);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted", e);
        }
    }

    public Set<X509Certificate> authority() {
        return Set.of(authority);
    }

    /** The certificate chain as a sender serves it: its own certificate first. */
    public byte[] chain() {
        return (pem(leaf) + pem(authority)).getBytes(StandardCharsets.US_ASCII);
    }

    private static String pem(X509Certificate certificate) {
        try {
            return "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new AssertionError("No certificate", e);
        }
    }

    /** Only its own certificate, for pinning. */
    public String certificate() {
        return pem(leaf);
    }

    /** Its private key, in the PEM format of PKCS #8. */
    public String privateKey() {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(key.getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    /** The headers of a delivery. */
    public Map<String, String> signed(
            Instant sent, String transmission, String webhookId, String certificateUrl, String body) {
        try {
            CRC32 crc = new CRC32();
            crc.update(body.getBytes(StandardCharsets.UTF_8));
            Signature signer = Signature.getInstance("SHA256withRSA");
            signer.initSign(key);
            String time = sent.toString();
            signer.update((transmission + "|" + time + "|" + webhookId + "|" + crc.getValue())
                    .getBytes(StandardCharsets.UTF_8));
            return Map.of(
                    "PAYPAL-TRANSMISSION-ID", transmission,
                    "PAYPAL-TRANSMISSION-TIME", time,
                    "PAYPAL-TRANSMISSION-SIG", Base64.getEncoder().encodeToString(signer.sign()),
                    "PAYPAL-CERT-URL", certificateUrl,
                    "PAYPAL-AUTH-ALGO", "SHA256withRSA");
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Cannot sign", e);
        }
    }
}
