// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a settled claim remembers: bytes, and a short word for how to read them. The store looks into neither. */
public final class StoredResult {
    /** The most characters a type may have. */
    public static final int MAX_TYPE = 64;
    /** The most bytes a result may have; doors set smaller bounds and store a tombstone beyond them. */
    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final String TOMBSTONE = "semel/tombstone";

    private final String type;
    private final byte[] bytes;

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
        this.bytes = bytes.clone();
    }

    /** Stands for a result that cannot be kept: the work is not run again, and the replay says why it is empty. */
    public static StoredResult tombstone(String why) {
        return new StoredResult(TOMBSTONE, why.getBytes(StandardCharsets.UTF_8));
    }

    public String type() {
        return type;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** How many bytes there are. */
    public int size() {
        return bytes.length;
    }

    public boolean isTombstone() {
        return type.equals(TOMBSTONE);
    }

    /** The bytes read as UTF-8; of a tombstone, why there is no result. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredResult that && type.equals(that.type) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Arrays.hashCode(bytes);
    }

    /** Type and size only: the content may be anybody's secret. */
    @Override
    public String toString() {
        return "StoredResult[" + type + ", " + bytes.length + " bytes]";
    }
}
