// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.seal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.seal.SealException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import javax.crypto.AEADBadTagException;

/**
 * Encrypts bytes with AES-256-GCM and a key of the tenant, which is derived from the current secret. Decrypts envelopes of
 * all active secrets. The envelope:
 *
 * <pre>
 *   version (1) | secret id (8) | nonce (12) | ciphertext | tag (16)
 * </pre>
 *
 * <p>Version, secret id, tenant, digest and type are authenticated together with the content, so that an envelope that was
 * copied to another claim cannot be decrypted there. If a claim was found by an alias or by an older secret's digest, decrypt
 * with the reference under which the record was created.
 *
 * <p><b>Encryption is deterministic.</b> The same content, claim and secret give the same bytes in every process. A
 * settlement that is sent again is therefore recognized by comparing bytes. The nonce is synthetic: the first 96 bits of an
 * HMAC-SHA256 over everything that is authenticated (version, secret id, tenant, digest, type) and the content, each
 * length-prefixed. The HMAC has a separate key, derived from the secret for the tenant. This is safe because:
 *
 * <ul>
 *   <li>AES-GCM breaks if one key and nonce protect two different messages. Here two different messages, including their
 *       associated data, have nonces that are independent outputs of a pseudorandom function. They collide no more often
 *       than random nonces do. With the usual limit of 2^32 messages per key, a tenant can have four billion encrypted
 *       results before its secret must be rotated.
 *   <li>A nonce repeats only for an identical message, whose envelope is then identical too. An observer of the database
 *       learns only that the same claim was settled with the same content before, for example before it expired. Equal
 *       contents of two claims have different envelopes.
 *   <li>The nonce is stored unencrypted. Without the HMAC's key it reveals nothing about the content, so that guesses cannot
 *       be checked against it.
 *   <li>Decryption does not recompute the nonce. The tag authenticates it, and envelopes with other nonces can be decrypted.
 * </ul>
 *
 * <p>Different secrets give different bytes. If a settlement may be sent again while secrets are rotated, encrypt
 * {@linkplain #by with the secret} that was current when the claim was granted.
 */
public final class Sealer {
    /** The number of bytes that an envelope adds. */
    public static final int OVERHEAD = 1 + 8 + 12 + 16;
    /** The maximum number of bytes that can be encrypted, so that the envelope fits into a stored result. */
    public static final int MAX_BYTES = StoredResult.MAX_BYTES - OVERHEAD;

    private static final byte VERSION = 1;
    private static final int ID_BYTES = 8;
    private static final int NONCE_BYTES = 12;

    private final Secrets secrets;
    private final SealingKeys keys;

    public Sealer(Secrets secrets) {
        this(Objects.requireNonNull(secrets, "Secrets must not be null"), new SealingKeys());
    }

    private Sealer(Secrets secrets, SealingKeys keys) {
        this.secrets = secrets;
        this.keys = keys;
    }

    /** A sealer that encrypts with the secret of this id if it is active. It decrypts the same envelopes as this one. */
    public Sealer by(String secretId) {
        if (secrets.current().id().equals(secretId)) {
            return this;
        }
        return secrets.byId(secretId)
                .map(chosen -> new Sealer(
                        Secrets.of(
                                chosen,
                                secrets.all().stream()
                                        .filter(other -> !other.id().equals(secretId))
                                        .toArray(Secret[]::new)),
                        keys))
                .orElse(this);
    }

    /**
     * Encrypts a result for its claim. The same content gives the same bytes.
     *
     * @param type the type of the content. Decryption needs the same type.
     */
    public byte[] seal(ClaimRef claim, String type, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new SealException(
                    Reason.TOO_LARGE,
                    "At most %d bytes can be encrypted, but there are %d: store a tombstone instead"
                            .formatted(MAX_BYTES, bytes.length));
        }
        Secret secret = secrets.current();
        SealingKeys.OfTenant tenant = keys.of(secret, claim.tenant());
        byte[] bound = bound(secret, claim, type);
        byte[] nonce = nonce(tenant, bound, bytes);
        try {
            byte[] sealed = tenant.ciphers().encrypt(nonce, bound, bytes);
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

    /** Decrypts a result of this claim and this type. */
    public byte[] open(ClaimRef claim, String type, byte[] envelope) {
        if (envelope.length < OVERHEAD || envelope[0] != VERSION) {
            throw new SealException(
                    Reason.UNREADABLE,
                    "The encrypted result is unreadable: it is damaged, or a newer version of Semel wrote it");
        }
        ByteBuffer in = ByteBuffer.wrap(envelope);
        in.get();
        byte[] id = new byte[ID_BYTES];
        byte[] nonce = new byte[NONCE_BYTES];
        in.get(id).get(nonce);
        Secret secret = live(HexFormat.of().formatHex(id));
        try {
            return keys.of(secret, claim.tenant())
                    .ciphers()
                    .decrypt(nonce, bound(secret, claim, type), envelope, in.position());
        } catch (AEADBadTagException e) {
            throw new SealException(
                    Reason.NOT_AUTHENTIC,
                    "The encrypted result of claim %s was modified, or belongs to another claim"
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
                        "The secret with id %s is not active: configure it again to decrypt results that were encrypted with it"
                                .formatted(id)));
    }

    /** The synthetic nonce. The description of the class explains why it is safe. */
    private static byte[] nonce(SealingKeys.OfTenant tenant, byte[] bound, byte[] content) {
        byte[] length = ByteBuffer.allocate(Integer.BYTES).putInt(bound.length).array();
        return Arrays.copyOf(tenant.nonces().of(length, bound, content), NONCE_BYTES);
    }

    /** The associated data of an envelope. Each part is length-prefixed, so that different parts give different bytes. */
    private static byte[] bound(Secret secret, ClaimRef claim, String type) {
        byte[] id = secret.id().getBytes(StandardCharsets.US_ASCII);
        byte[] tenant = claim.tenant().getBytes(StandardCharsets.UTF_8);
        byte[] digest = claim.digest().bytes();
        byte[] kind = type.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out =
                ByteBuffer.allocate(1 + 4 * Integer.BYTES + id.length + tenant.length + digest.length + kind.length);
        out.put(VERSION);
        out.putInt(id.length).put(id);
        out.putInt(tenant.length).put(tenant);
        out.putInt(digest.length).put(digest);
        out.putInt(kind.length).put(kind);
        return out.array();
    }
}
