// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.payload.json.Json;
import java.util.function.Function;

/**
 * Converts a result to JSON and back. If results are stored sanitised, the JSON that is read may lack members that were
 * written. If a conversion throws, replays have no data and a note says why; the work is not run again.
 */
public interface JsonForm<T> {
    Json write(T value) throws Exception;

    T read(Json json) throws Exception;

    /** The form of results that are JSON already. */
    static JsonForm<Json> json() {
        return of(Function.identity(), Function.identity());
    }

    /** A form from two functions. */
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
