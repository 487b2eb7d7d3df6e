// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A value of a fixed number of bytes, compared as unsigned bytes, as the databases sort it. */
abstract sealed class FixedBytes permits Digest, Fingerprint, OwnerToken, RecordId {
    private final byte[] bytes;

    /** Computed once, because digests and tokens are looked up many times. */
    private final int hash;

    FixedBytes(String name, byte[] bytes, int length) {
        Objects.requireNonNull(bytes, () -> name + " must not be null");
        if (bytes.length != length) {
            throw new IllegalArgumentException(
                    "%s must be exactly %d bytes, but has %d".formatted(name, length, bytes.length));
        }
        this.bytes = bytes.clone();
        this.hash = Arrays.hashCode(this.bytes);
    }

    /** A copy of the bytes. */
    public final byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes in lower-case hexadecimal. */
    public final String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    final int compareBytes(FixedBytes other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof FixedBytes that && that.getClass() == getClass() && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public final int hashCode() {
        return hash;
    }
}
