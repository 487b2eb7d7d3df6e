// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A body: bytes and their media type. */
public final class Body {
    private final String mediaType;
    private final byte[] bytes;

    /**
     * @param mediaType the value of a Content-Type header
     * @param bytes the body
     */
    public Body(String mediaType, byte[] bytes) {
        this.mediaType = Objects.requireNonNull(mediaType, "A body's media type must not be null");
        this.bytes = Objects.requireNonNull(bytes, "A body must not be null: use an empty array for an empty body")
                .clone();
    }

    public String mediaType() {
        return mediaType;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The number of bytes. */
    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Body that && mediaType.equals(that.mediaType) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * mediaType.hashCode() + Arrays.hashCode(bytes);
    }

    /** Shows the size only, because the content may be confidential. */
    @Override
    public String toString() {
        return "Body[" + bytes.length + " bytes]";
    }
}
