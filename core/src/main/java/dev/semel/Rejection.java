// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoredResult;
import dev.semel.internal.BoundedText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A business rejection, such as insufficient funds: the work ended, and its answer is no. It is stored like a result, so every
 * duplicate receives the same code and the same details. See {@link RunContext#reject}.
 */
public final class Rejection {
    /** The maximum length of a code, in characters. */
    public static final int MAX_CODE = 64;
    /** The maximum size of the details' stored form, in bytes. Larger details are not kept, but the code is. */
    public static final int MAX_DETAILS = 64 * 1024;

    private static final String TYPE = "semel/rejection";

    private final String code;
    private final @Nullable StoredResult details;
    private final DetailsCodec codec;

    private Rejection(String code, @Nullable StoredResult details, DetailsCodec codec) {
        BoundedText.check("A rejection's code", code, MAX_CODE);
        if (!code.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("A rejection's code must be visible ASCII, but is: " + code);
        }
        this.code = code;
        this.details = details;
        this.codec = codec;
    }

    static Rejection of(String code, @Nullable Object details, DetailsCodec codec) {
        Objects.requireNonNull(code, "A rejection's code must not be null");
        return new Rejection(code, details == null ? null : bounded(codec, details), codec);
    }

    private static StoredResult bounded(DetailsCodec codec, Object details) {
        StoredResult stored = Settlements.encoded(codec::encode, details);
        return stored.size() <= MAX_DETAILS
                ? stored
                : StoredResult.tombstone(
                        "they have %d bytes, but at most %d are stored".formatted(stored.size(), MAX_DETAILS));
    }

    /** What tells this rejection from others, for example {@code INSUFFICIENT_FUNDS}. */
    public String code() {
        return code;
    }

    /**
     * The details, read from their stored form. Empty if the rejection has none.
     *
     * @throws IllegalStateException if the details could not be stored, or are not of this type
     */
    public <D> Optional<D> details(Class<D> type) {
        if (details == null) {
            return Optional.empty();
        }
        if (details.isTombstone()) {
            throw new IllegalStateException(
                    "The details of rejection %s were not kept: %s".formatted(code, details.text()));
        }
        try {
            return Optional.of(codec.decode(details, type));
        } catch (Exception e) {
            throw new IllegalStateException(
                    "The details of rejection %s cannot be read as %s: they are stored as %s"
                            .formatted(code, type.getName(), details.type()),
                    e);
        }
    }

    /** The stored form of the details; null if there are none. */
    public @Nullable StoredResult storedDetails() {
        return details;
    }

    /** Code and details in one stored form. */
    StoredResult stored() {
        byte[] name = code.getBytes(StandardCharsets.US_ASCII);
        byte[] type = (details == null ? "" : details.type()).getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = details == null ? new byte[0] : details.bytes();
        return new StoredResult(
                TYPE,
                ByteBuffer.allocate(2 + name.length + type.length + bytes.length)
                        .put((byte) name.length)
                        .put(name)
                        .put((byte) type.length)
                        .put(type)
                        .put(bytes)
                        .array());
    }

    static boolean isIn(@Nullable StoredResult stored) {
        return stored != null && stored.type().equals(TYPE);
    }

    /** The rejection that {@link #stored} wrote. */
    static Rejection read(StoredResult stored, DetailsCodec codec) {
        ByteBuffer bytes = ByteBuffer.wrap(stored.bytes());
        String code = text(bytes);
        String type = text(bytes);
        byte[] rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return new Rejection(code, type.isEmpty() ? null : new StoredResult(type, rest), codec);
    }

    private static String text(ByteBuffer bytes) {
        byte[] text = new byte[bytes.get()];
        bytes.get(text);
        return new String(text, StandardCharsets.US_ASCII);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Rejection that && code.equals(that.code) && Objects.equals(details, that.details);
    }

    @Override
    public int hashCode() {
        return Objects.hash(code, details);
    }

    /** The code, and the type and size of the details, because their content may be confidential. */
    @Override
    public String toString() {
        return "Rejection[" + code + (details == null ? "" : ", " + details) + "]";
    }
}
