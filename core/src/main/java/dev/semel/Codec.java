// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoredResult;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a result is stored for later callers, and read back. Duplicates always receive the decoded stored form, never the first
 * caller's object.
 */
public interface Codec<T extends @Nullable Object> {
    /** The stored form. If this throws, a tombstone is stored, and the work is not run again. */
    StoredResult encode(T value) throws Exception;

    /** The value that {@link #encode} wrote. */
    T decode(StoredResult stored) throws Exception;

    /** Text as UTF-8. */
    static Codec<String> text() {
        return of(value -> new StoredResult("text/plain", value.getBytes(StandardCharsets.UTF_8)), StoredResult::text);
    }

    /** Bytes, unchanged. */
    static Codec<byte[]> bytes() {
        return of(value -> new StoredResult("application/octet-stream", value), StoredResult::bytes);
    }

    /** For work without a result. */
    static Codec<@Nullable Void> nothing() {
        return of(value -> new StoredResult("semel/nothing", new byte[0]), stored -> null);
    }

    /** A codec made of two functions. */
    static <T extends @Nullable Object> Codec<T> of(
            Function<T, StoredResult> encode, Function<StoredResult, T> decode) {
        return new Codec<>() {
            @Override
            public StoredResult encode(T value) {
                return encode.apply(value);
            }

            @Override
            public T decode(StoredResult stored) {
                return decode.apply(stored);
            }
        };
    }
}
