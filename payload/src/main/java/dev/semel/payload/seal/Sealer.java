// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.seal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.internal.HmacSha256;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.seal.SealException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
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
 * <p><b>Sealing is deterministic.</b> The same content, sealed for the same claim by the same secret, gives the same
 * bytes, in every process. A settlement that is sent again is therefore recognised by comparing bytes. The nonce is
 * synthetic: the first 96 bits of an HMAC-SHA256 over everything that is authenticated (version, secret id, tenant,
 * digest, type) and the content, each length-prefixed. The HMAC has a key of its own, derived from the secret for the
 * tenant. Why this is safe:
 *
 * <ul>
 *   <li>AES-GCM breaks if one key and nonce protect two different messages. Here two messages that differ in anything,
 *       associated data included, have nonces that are independent outputs of a pseudorandom function. They collide no
 *       more often than random nonces do. By the usual bound of 2^32 messages for one key, a tenant may have four
 *       billion results sealed before its secret must be rotated.
 *   <li>A nonce repeats on purpose only with the identical message, and the envelope is then identical too. An observer
 *       of the database learns one thing from that: the same claim was settled with the same content before, for
 *       instance in a life that expired. Equal contents of two claims do not look alike.
 *   <li>The nonce is stored in the clear. Without the HMAC's key it says nothing about the content, so that guesses
 *       cannot be checked against it.
 *   <li>Opening does not recompute the nonce. The tag authenticates it, and envelopes with other nonces still open.
 * </ul>
 *
 * <p>Different secrets give different bytes. Where a settlement may be sent again while secrets are rotated, seal
 * {@linkplain #by by a secret} that was agreed upon when the claim was granted.
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
    private static final String NONCE_PURPOSE = "seal-nonce";

    private final Secrets secrets;

    public Sealer(Secrets secrets) {
        this.secrets = Objects.requireNonNull(secrets, "Secrets must not be null");
    }

    /** Seals by the secret with this id, if it is alive, and otherwise by the current one; opens the same envelopes. */
    public Sealer by(String secretId) {
        if (secrets.current().id().equals(secretId)) {
            return this;
        }
        return secrets.byId(secretId)
                .map(chosen -> new Sealer(Secrets.of(
                        chosen,
                        secrets.all().stream()
                                .filter(other -> !other.id().equals(secretId))
                                .toArray(Secret[]::new))))
                .orElse(this);
    }

    /**
     * Seals a result for its claim. The same content gives the same bytes.
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
        try {
            byte[] nonce = nonce(secret, claim, type, bytes);
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
        cipher.updateAAD(bound(secret, claim, type));
        return cipher;
    }

    /** See the argument in this class's description. */
    private static byte[] nonce(Secret secret, ClaimRef claim, String type, byte[] content) {
        byte[] bound = bound(secret, claim, type);
        byte[] length = ByteBuffer.allocate(Integer.BYTES).putInt(bound.length).array();
        byte[] mac = new HmacSha256(secret.subkey(NONCE_PURPOSE, claim.tenant())).of(length, bound, content);
        return Arrays.copyOf(mac, NONCE_BYTES);
    }

    /** What an envelope is bound to. Each part is length-prefixed, so that no two lists of parts meet. */
    private static byte[] bound(Secret secret, ClaimRef claim, String type) {
        List<byte[]> parts = List.of(
                secret.id().getBytes(StandardCharsets.US_ASCII),
                claim.tenant().getBytes(StandardCharsets.UTF_8),
                claim.digest().bytes(),
                type.getBytes(StandardCharsets.UTF_8));
        int size = parts.stream().mapToInt(part -> Integer.BYTES + part.length).sum();
        ByteBuffer out = ByteBuffer.allocate(1 + size).put(VERSION);
        parts.forEach(part -> out.putInt(part.length).put(part));
        return out.array();
    }
}
