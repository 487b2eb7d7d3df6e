// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.internal.HmacSha256;
import dev.semel.key.Secret;
import dev.semel.replay.ReplayCache;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Converts entries to their form in Redis and back. A key is an HMAC over epoch and digest. A value is encrypted:
 *
 * <pre>
 *   version (1) | nonce (12) | AES-256-GCM of the content | tag (16)
 *
 *   content: status (1) | lifetime in milliseconds (8) | fingerprint (32) | length of type (1) | type | result
 * </pre>
 *
 * <p>Both use keys of the tenant that are derived from the secret. Version, epoch, tenant and digest are authenticated
 * together with the content: a value that was invented, modified, or copied from another claim, tenant or epoch cannot be
 * decrypted and counts as absent. Without a result the type's length is 0.
 */
final class SealedEntries {
    private static final byte VERSION = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int FIXED_BYTES = 1 + Long.BYTES + Fingerprint.LENGTH + 1;
    private static final byte SUCCEEDED = 'S';
    private static final byte FAILED = 'F';

    private final Secret secret;
    private final String prefix;
    private final SecureRandom random = new SecureRandom();

    SealedEntries(Secret secret, String prefix) {
        this.secret = secret;
        this.prefix = prefix;
    }

    /** The maximum size of a value with a result of this size. */
    static int sealedSize(int result) {
        return 1 + NONCE_BYTES + FIXED_BYTES + StoredResult.MAX_TYPE + result + TAG_BYTES;
    }

    /** The key in Redis. */
    byte[] name(ReplayCache.Key key) {
        HmacSha256 hmac =
                new HmacSha256(secret.subkey("replay-cache-name", key.ref().tenant()));
        byte[] epoch = ByteBuffer.allocate(Long.BYTES).putLong(key.epoch()).array();
        byte[] digest = hmac.of(epoch, key.ref().digest().bytes());
        String name = prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    byte[] seal(ReplayCache.Key key, ReplayCache.Entry entry, long keepMillis) {
        StoredResult result = entry.result();
        byte[] type = result == null ? new byte[0] : result.type().getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = result == null ? new byte[0] : result.bytes();
        byte[] plain = ByteBuffer.allocate(FIXED_BYTES + type.length + bytes.length)
                .put(entry.status() == Status.SUCCEEDED ? SUCCEEDED : FAILED)
                .putLong(keepMillis)
                .put(entry.fingerprint().bytes())
                .put((byte) type.length)
                .put(type)
                .put(bytes)
                .array();
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce).doFinal(plain);
            return ByteBuffer.allocate(1 + NONCE_BYTES + sealed.length)
                    .put(VERSION)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has AES-256-GCM", e);
        }
    }

    /** Decrypts the value of this key. Empty if the value is not valid. */
    Optional<Opened> open(ReplayCache.Key key, byte @Nullable [] value) {
        if (value == null || value.length < 1 + NONCE_BYTES + FIXED_BYTES + TAG_BYTES || value[0] != VERSION) {
            return Optional.empty();
        }
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(value, 1, nonce, 0, NONCE_BYTES);
        int start = 1 + NONCE_BYTES;
        byte[] plain;
        try {
            plain = cipher(Cipher.DECRYPT_MODE, key, nonce).doFinal(value, start, value.length - start);
        } catch (GeneralSecurityException notOurs) {
            return Optional.empty();
        }
        return parsed(ByteBuffer.wrap(plain));
    }

    private static Optional<Opened> parsed(ByteBuffer in) {
        Status status = in.get() == SUCCEEDED ? Status.SUCCEEDED : Status.FAILED;
        long keepMillis = in.getLong();
        byte[] fingerprint = new byte[Fingerprint.LENGTH];
        in.get(fingerprint);
        int typeLength = in.get();
        if (typeLength < 0 || typeLength > in.remaining()) {
            return Optional.empty();
        }
        StoredResult result = null;
        if (typeLength > 0) {
            byte[] type = new byte[typeLength];
            in.get(type);
            byte[] bytes = new byte[in.remaining()];
            in.get(bytes);
            result = new StoredResult(new String(type, StandardCharsets.US_ASCII), bytes);
        }
        return Optional.of(new Opened(new ReplayCache.Entry(status, new Fingerprint(fingerprint), result), keepMillis));
    }

    private Cipher cipher(int mode, ReplayCache.Key key, byte[] nonce) throws GeneralSecurityException {
        byte[] tenant = key.ref().tenant().getBytes(StandardCharsets.UTF_8);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                mode,
                new SecretKeySpec(secret.subkey("replay-cache-seal", key.ref().tenant()), "AES"),
                new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        // All parts before the tenant have fixed lengths.
        cipher.updateAAD(new byte[] {VERSION});
        cipher.updateAAD(ByteBuffer.allocate(Long.BYTES).putLong(key.epoch()).flip());
        cipher.updateAAD(key.ref().digest().bytes());
        cipher.updateAAD(tenant);
        return cipher;
    }

    /**
     * The content of a value.
     *
     * @param keepMillis the intended lifetime when it was written
     */
    record Opened(ReplayCache.Entry entry, long keepMillis) {}
}
