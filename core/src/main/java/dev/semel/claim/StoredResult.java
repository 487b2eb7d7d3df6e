// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.internal.BoundedText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The stored form of a result: bytes, and a type that says how to read them. The store interprets neither. */
public final class StoredResult {
    /** The maximum length of a type, in characters. */
    public static final int MAX_TYPE = 64;
    /** The maximum size of a result, in bytes. Modules set smaller limits and store a tombstone beyond them. */
    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final String TOMBSTONE = "semel/tombstone";
    private static final String OMITTED = "semel/omitted";
    private static final String NULL = "semel/null";

    private final String type;
    private final int size;

    /** Null if the result was omitted. */
    private final byte @Nullable [] bytes;

    /**
     * @param type how to read the bytes, for example {@code application/json}: visible ASCII
     * @param bytes the result
     */
    public StoredResult(String type, byte[] bytes) {
        BoundedText.check("A result's type", type, MAX_TYPE);
        if (!type.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("A result's type must be visible ASCII, but is: " + type);
        }
        Objects.requireNonNull(bytes, "A result's bytes must not be null: an empty result has no bytes");
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A result must have at most %d bytes, but has %d".formatted(MAX_BYTES, bytes.length));
        }
        this.type = type;
        this.size = bytes.length;
        this.bytes = bytes.clone();
    }

    private StoredResult(int omittedSize) {
        if (omittedSize < 0) {
            throw new IllegalArgumentException("A result's size must not be negative, but is " + omittedSize);
        }
        this.type = OMITTED;
        this.size = omittedSize;
        this.bytes = null;
    }

    /**
     * Stands for a result of this size that was omitted from an answer about many claims: see {@link
     * dev.semel.spi.ClaimStore#largestResult}. Read its claim alone to get it. It has a type of its own and no bytes, and it cannot be
     * stored.
     */
    public static StoredResult omitted(int size) {
        return new StoredResult(size);
    }

    /** Stands for a result that cannot be stored. The work is not run again, and the replay says why there is no result. */
    public static StoredResult tombstone(String why) {
        return new StoredResult(TOMBSTONE, why.getBytes(StandardCharsets.UTF_8));
    }

    /** Stands for the result null. */
    public static StoredResult ofNull() {
        return new StoredResult(NULL, new byte[0]);
    }

    public String type() {
        return type;
    }

    /**
     * A copy of the bytes.
     *
     * @throws IllegalStateException if the result was omitted ({@link #isOmitted})
     */
    public byte[] bytes() {
        return content().clone();
    }

    /** The size of the result in bytes, even if the result was omitted. */
    public int size() {
        return size;
    }

    /** Whether the result was omitted from an answer about many claims: see {@link #omitted}. */
    public boolean isOmitted() {
        return bytes == null;
    }

    public boolean isTombstone() {
        return type.equals(TOMBSTONE);
    }

    /** Whether the result is null. */
    public boolean isNull() {
        return type.equals(NULL);
    }

    /**
     * The bytes as UTF-8 text; for a tombstone, the reason why there is no result.
     *
     * @throws IllegalStateException if the result was omitted ({@link #isOmitted})
     */
    public String text() {
        return new String(content(), StandardCharsets.UTF_8);
    }

    private byte[] content() {
        byte[] content = bytes;
        if (content == null) {
            throw new IllegalStateException(
                    "The result (%d bytes) was omitted from an answer about many claims: read its claim alone"
                            .formatted(size));
        }
        return content;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredResult that
                && size == that.size
                && type.equals(that.type)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * type.hashCode() + size) + Arrays.hashCode(bytes);
    }

    /** Type and size only, because the content may be confidential. */
    @Override
    public String toString() {
        return "StoredResult[" + type + ", " + size + " bytes]";
    }
}
