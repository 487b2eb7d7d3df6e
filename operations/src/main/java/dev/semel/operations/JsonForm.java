// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.payload.json.Json;
import java.util.function.Function;

/**
 * How a result becomes JSON, and is read back. Where results are stored sanitised, what is read may lack members that
 * were written. If either throws, replays have no data and say why, and the work is still not run again.
 */
public interface JsonForm<T> {
    Json write(T value) throws Exception;

    T read(Json json) throws Exception;

    /** JSON as it is. */
    static JsonForm<Json> json() {
        return of(Function.identity(), Function.identity());
    }

    /** A form of two functions. */
    static <T> JsonForm<T> of(Function<T, Json> write, Function<Json, T> read) {
        return new JsonForm<>() {
            @Override
            public Json write(T value) {
                return write.apply(value);
            }

            @Override
            public T read(Json json) {
                return read.apply(json);
            }
        };
    }
}
