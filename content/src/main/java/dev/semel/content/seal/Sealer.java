// SPDX-License-Identifier: Apache-2.0
package dev.semel.content.seal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.content.seal.SealException.Reason;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals bytes with AES-256-GCM, by a key of the tenant's own that is derived from the current secret, and opens what
 * any live secret sealed. The envelope:
 *
 * <pre>
 *   version (1) | secret id (8) | nonce (12) | ciphertext | tag (16)
 * </pre>
 *
 * <p>Version, secret id, tenant, digest and type are authenticated along with the content, so that an envelope copied to
 * another claim does not open there. The claim is the record's own: where a claim is found by an alias or by an older
 * secret's digest, open with the reference under which the record was made.
 *
 * <p>Nonces are random. By the usual bound of 2^32 messages for one key, a tenant may have four billion results sealed
 * before its secret must be rotated.
 */
public final class Sealer {
    /** How many bytes an envelope adds. */
    public static final int OVERHEAD = 1 + 8 + 12 + 16;
    /** The most bytes that can be sealed, so that the envelope still is a result. */
    public static final int MAX_BYTES = StoredResult.MAX_BYTES - OVERHEAD;

    private static final byte VERSION = 1;
    private static final int ID_BYTES = 8;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final String PURPOSE = "seal";

    private final Secrets secrets;
    private final SecureRandom random = new SecureRandom();

    public Sealer(Secrets secrets) {
        this.secrets = Objects.requireNonNull(secrets, "Secrets must not be null");
    }

    /**
     * Seals a result for its claim.
     *
     * @param type what the bytes are; they open only as the same
     */
    public byte[] seal(ClaimRef claim, String type, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new SealException(
                    Reason.TOO_LARGE,
                    "At most %d bytes can be sealed, but these are %d: store a tombstone instead"
                            .formatted(MAX_BYTES, bytes.length));
        }
        Secret secret = secrets.current();
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, secret, nonce, claim, type).doFinal(bytes);
            return ByteBuffer.allocate(bytes.length + OVERHEAD)
                    .put(VERSION)
                    .put(HexFormat.of().parseHex(secret.id()))
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has AES-256-GCM", e);
        }
    }

    /** Opens what was sealed for this claim as this type. */
    public byte[] open(ClaimRef claim, String type, byte[] envelope) {
        if (envelope.length < OVERHEAD || envelope[0] != VERSION) {
            throw new SealException(
                    Reason.UNREADABLE,
                    "This is no sealed result that this version understands: was it written by a newer one?");
        }
        ByteBuffer in = ByteBuffer.wrap(envelope);
        in.get();
        byte[] id = new byte[ID_BYTES];
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] sealed = new byte[envelope.length - 1 - ID_BYTES - NONCE_BYTES];
        in.get(id).get(nonce).get(sealed);
        Secret secret = live(HexFormat.of().formatHex(id));
        try {
            return cipher(Cipher.DECRYPT_MODE, secret, nonce, claim, type).doFinal(sealed);
        } catch (AEADBadTagException e) {
            throw new SealException(
                    Reason.NOT_AUTHENTIC,
                    "The sealed result of claim %s was changed after it was sealed, or was sealed for another claim"
                            .formatted(claim.digest()),
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has AES-256-GCM", e);
        }
    }

    private Secret live(String id) {
        return secrets.byId(id)
                .orElseThrow(() -> new SealException(
                        Reason.UNKNOWN_SECRET,
                        "The secret with id %s is not among the live ones: add it back to open what it sealed"
                                .formatted(id)));
    }

    private static Cipher cipher(int mode, Secret secret, byte[] nonce, ClaimRef claim, String type)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                mode,
                new SecretKeySpec(secret.subkey(PURPOSE, claim.tenant()), "AES"),
                new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(new byte[] {VERSION});
        bind(cipher, secret.id().getBytes(StandardCharsets.US_ASCII));
        bind(cipher, claim.tenant().getBytes(StandardCharsets.UTF_8));
        bind(cipher, claim.digest().bytes());
        bind(cipher, type.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    /** Length-prefixed, so that no two lists of parts meet. */
    private static void bind(Cipher cipher, byte[] part) {
        cipher.updateAAD(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        cipher.updateAAD(part);
    }
}
