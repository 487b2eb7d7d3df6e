// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What counts as the same request: SHA-256 over length-prefixed fields. Two callers with one key and different
 * fingerprints are a mismatch, found before anything runs.
 */
public final class Fingerprint extends FixedBytes {
    /** How many bytes a fingerprint has. */
    public static final int LENGTH = 32;

    /** For callers whose key alone says what the request is: it matches every other fingerprint. */
    public static final Fingerprint NONE = new Fingerprint(new byte[LENGTH]);

    private static final MessageDigest SHA_256 = unused();

    public Fingerprint(byte[] bytes) {
        super("A fingerprint", bytes, LENGTH);
    }

    /** The fingerprint of these fields in this order; {@code ("ab", "c")} and {@code ("a", "bc")} differ. */
    public static Fingerprint of(byte[]... fields) {
        MessageDigest sha256 = sha256();
        for (byte[] field : fields) {
            sha256.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(field.length).array());
            sha256.update(field);
        }
        return new Fingerprint(sha256.digest());
    }

    /** As {@link #of(byte[]...)}, over the UTF-8 form of the fields. */
    public static Fingerprint of(String... fields) {
        byte[][] encoded = new byte[fields.length][];
        for (int i = 0; i < fields.length; i++) {
            encoded[i] = fields[i].getBytes(StandardCharsets.UTF_8);
        }
        return of(encoded);
    }

    /** Whether both stand for the same request. */
    public boolean matches(Fingerprint other) {
        return equals(NONE) || other.equals(NONE) || equals(other);
    }

    @Override
    public String toString() {
        return equals(NONE) ? "none" : hex().substring(0, 16);
    }

    private static MessageDigest sha256() {
        try {
            // Copied, because finding the algorithm takes as long as a short digest.
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The JDK's SHA-256 can be copied; a provider before it cannot", e);
        }
    }

    private static MessageDigest unused() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
