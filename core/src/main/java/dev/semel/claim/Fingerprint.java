// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * What counts as the same request: SHA-256 over length-prefixed fields. Two callers with one key and different
 * fingerprints are a mismatch, found before anything runs.
 *
 * <p>A fingerprint may carry a sketch: bytes that remember enough of the request to explain a mismatch later. The core does
 * not look into it. A store keeps it with the claim. It never decides anything: {@link #equals}, {@link #matches} and
 * {@link #toString} go by the 32 bytes alone.
 */
public final class Fingerprint extends FixedBytes {
    /** How many bytes a fingerprint has. */
    public static final int LENGTH = 32;

    /** The most bytes that a sketch may have. */
    public static final int MAX_SKETCH = 4_096;

    private static final byte[] NO_SKETCH = {};

    /** For callers whose key alone says what the request is: it matches every other fingerprint. */
    public static final Fingerprint NONE = new Fingerprint(new byte[LENGTH]);

    private static final MessageDigest SHA_256 = unused();

    private final byte[] sketch;

    public Fingerprint(byte[] bytes) {
        this(bytes, NO_SKETCH);
    }

    private Fingerprint(byte[] bytes, byte[] sketch) {
        super("A fingerprint", bytes, LENGTH);
        this.sketch = sketch;
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

    /**
     * The same fingerprint with this sketch of the request in place of the one it has.
     *
     * @param sketch at most {@link #MAX_SKETCH} bytes, which are copied; empty for none
     */
    public Fingerprint withSketch(byte[] sketch) {
        Objects.requireNonNull(sketch, "A sketch must not be null: it may be empty");
        if (sketch.length > MAX_SKETCH) {
            throw new IllegalArgumentException(
                    "A sketch must have at most %d bytes, but has %d".formatted(MAX_SKETCH, sketch.length));
        }
        if (sketch.length == 0) {
            return this.sketch.length == 0 ? this : new Fingerprint(bytes());
        }
        return new Fingerprint(bytes(), sketch.clone());
    }

    /** A copy of the sketch; empty if there is none. It explains a mismatch and never decides one. */
    public byte[] sketch() {
        return sketch.clone();
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
