// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a result is stored for later callers, and read back. Duplicates always receive the decoded stored form, never the first
 * caller's object.
 *
 * <p>A codec never sees null. The engine stores a null result as null, and a replay returns null.
 */
public interface Codec<T extends @Nullable Object> {
    /** The stored form. If this throws, a tombstone is stored, and the work is not run again. */
    StoredResult encode(T value) throws Exception;

    /** The value that {@link #encode} wrote. */
    T decode(StoredResult stored) throws Exception;

    /** How the details of a {@linkplain RunContext#reject rejection} are stored; by default as text. */
    default DetailsCodec details() {
        return DetailsCodec.text();
    }

    /** Text as UTF-8. */
    static Codec<String> text() {
        return of(value -> new StoredResult("text/plain", value.getBytes(StandardCharsets.UTF_8)), StoredResult::text);
    }

    /** Bytes, unchanged. */
    static Codec<byte[]> bytes() {
        return of(value -> new StoredResult("application/octet-stream", value), StoredResult::bytes);
    }

    /** For work without a result: it returns null. */
    @SuppressWarnings("NullAway") // It does not look into type arguments.
    static Codec<@Nullable Void> nothing() {
        return of(value -> StoredResult.ofNull(), stored -> null);
    }

    /** A codec made of two functions. Both may throw any exception. */
    static <T extends @Nullable Object> Codec<T> of(Encoder<T> encoder, Decoder<T> decoder) {
        return new Codec<>() {
            @Override
            public StoredResult encode(T value) throws Exception {
                return encoder.encode(value);
            }

            @Override
            public T decode(StoredResult stored) throws Exception {
                return decoder.decode(stored);
            }
        };
    }

    /** Makes the stored form of a value. */
    @FunctionalInterface
    interface Encoder<T extends @Nullable Object> {
        StoredResult encode(T value) throws Exception;
    }

    /** Reads a stored form. */
    @FunctionalInterface
    interface Decoder<T extends @Nullable Object> {
        T decode(StoredResult stored) throws Exception;
    }
}
