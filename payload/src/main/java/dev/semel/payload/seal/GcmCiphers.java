// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.seal;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM with one key. A cipher is used again: the JDK then keeps the expanded key. One of each direction is kept; a
 * thread that finds it in use takes a new one. Thread-safe.
 */
final class GcmCiphers {
    static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final AtomicReference<@Nullable Used> encrypting = new AtomicReference<>();
    private final AtomicReference<@Nullable Used> decrypting = new AtomicReference<>();

    GcmCiphers(SecretKeySpec key) {
        this.key = key;
    }

    byte[] encrypt(byte[] nonce, byte[] bound, byte[] content) throws GeneralSecurityException {
        Used kept = encrypting.getAndSet(null);
        // A cipher refuses to encrypt twice in a row with the same nonce. Here equal nonces mean equal messages.
        Cipher cipher = kept == null || Arrays.equals(kept.nonce(), nonce) ? fresh() : kept.cipher();
        byte[] sealed = run(cipher, Cipher.ENCRYPT_MODE, nonce, bound, content, 0);
        encrypting.set(new Used(cipher, nonce));
        return sealed;
    }

    /** @param from where the ciphertext begins; it lasts until the end */
    byte[] decrypt(byte[] nonce, byte[] bound, byte[] envelope, int from) throws GeneralSecurityException {
        Used kept = decrypting.getAndSet(null);
        Cipher cipher = kept == null ? fresh() : kept.cipher();
        // After a failure the cipher is not kept.
        byte[] content = run(cipher, Cipher.DECRYPT_MODE, nonce, bound, envelope, from);
        decrypting.set(new Used(cipher, nonce));
        return content;
    }

    private byte[] run(Cipher cipher, int mode, byte[] nonce, byte[] bound, byte[] content, int from)
            throws GeneralSecurityException {
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(bound);
        return cipher.doFinal(content, from, content.length - from);
    }

    private static Cipher fresh() throws GeneralSecurityException {
        return Cipher.getInstance("AES/GCM/NoPadding");
    }

    /** @param nonce of its last message */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Used(Cipher cipher, byte[] nonce) {}
}
