// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.internal.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the content of a request: SHA-256 over length-prefixed fields. Two requests with the same key and different
 * fingerprints are a mismatch, which is found before anything runs.
 *
 * <p>A fingerprint may carry a sketch: bytes that describe the request well enough to explain a mismatch later. The engine does
 * not interpret it. A store keeps it with the claim. It never decides anything: {@link #equals}, {@link #matches} and
 * {@link #toString} use the 32 bytes alone.
 */
public final class Fingerprint extends FixedBytes {
    /** The number of bytes. */
    public static final int LENGTH = 32;

    /** The maximum size of a sketch, in bytes. */
    public static final int MAX_SKETCH = 4_096;

    private static final byte[] NO_SKETCH = {};

    /** For callers whose key alone identifies the request: it matches every other fingerprint. */
    public static final Fingerprint NONE = new Fingerprint(new byte[LENGTH]);

    /** Null once the sketch is made, so that it does not keep the request in memory. */
    private volatile @Nullable Supplier<byte[]> making;

    /** Null until the sketch is first needed. */
    private volatile byte @Nullable [] sketch;

    public Fingerprint(byte[] bytes) {
        this(bytes, () -> NO_SKETCH);
    }

    private Fingerprint(byte[] bytes, Supplier<byte[]> making) {
        super("A fingerprint", bytes, LENGTH);
        this.making = making;
    }

    /** The fingerprint of these fields in this order; {@code ("ab", "c")} and {@code ("a", "bc")} differ. */
    public static Fingerprint of(byte[]... fields) {
        MessageDigest sha256 = Sha256.digest();
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
     * The same fingerprint with this sketch of the request.
     *
     * @param sketch at most {@link #MAX_SKETCH} bytes, which are copied; empty for none
     */
    public Fingerprint withSketch(byte[] sketch) {
        byte[] copy = checked(sketch).clone();
        return new Fingerprint(bytes(), () -> copy);
    }

    /**
     * The same fingerprint with a sketch that is computed when a store first needs it. A duplicate that is answered from a
     * cache never needs one.
     *
     * @param sketch makes at most {@link #MAX_SKETCH} bytes; may be called more than once, and must return equal bytes. If it
     *     fails or makes more, there is no sketch: a mismatch is still found, but not explained.
     */
    public Fingerprint withSketch(Supplier<byte[]> sketch) {
        Objects.requireNonNull(sketch, "A sketch must not be null: it may be empty");
        return new Fingerprint(bytes(), sketch);
    }

    private static byte[] checked(byte[] sketch) {
        Objects.requireNonNull(sketch, "A sketch must not be null: it may be empty");
        if (sketch.length > MAX_SKETCH) {
            throw new IllegalArgumentException(
                    "A sketch must have at most %d bytes, but has %d".formatted(MAX_SKETCH, sketch.length));
        }
        return sketch;
    }

    /** A copy of the sketch; empty if there is none. */
    public byte[] sketch() {
        byte[] made = sketch;
        if (made == null) {
            Supplier<byte[]> now = making;
            // The sketch is set before the supplier is dropped.
            made = now == null ? Objects.requireNonNull(sketch) : made(now);
            sketch = made;
            making = null;
        }
        return made.clone();
    }

    /** The engine calls this in the middle of a claim. A sketch never decides anything, so its failure must not either. */
    private static byte[] made(Supplier<byte[]> supplier) {
        try {
            return checked(supplier.get()).clone();
        } catch (RuntimeException | Error e) {
            return NO_SKETCH;
        }
    }

    /** Whether both identify the same request. */
    public boolean matches(Fingerprint other) {
        return equals(NONE) || other.equals(NONE) || equals(other);
    }

    @Override
    public String toString() {
        return equals(NONE) ? "none" : hex().substring(0, 16);
    }
}
