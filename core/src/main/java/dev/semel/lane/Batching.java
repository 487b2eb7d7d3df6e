// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * How {@link Lanes} put entries into batches.
 *
 * @param key a key is in one batch at a time
 * @param bytes the size of an entry, for the size limit of a batch; 0 if entries are small
 * @param apart entries that are never in a batch with the others, but are sent at the same time as they are
 */
public record Batching<E>(Function<? super E, ?> key, ToLongFunction<? super E> bytes, Predicate<? super E> apart) {
    public Batching {
        Objects.requireNonNull(key, "Batching requires a key function");
        Objects.requireNonNull(bytes, "Batching requires a size function");
        Objects.requireNonNull(apart, "Batching requires a predicate");
    }

    /** Small entries with this key, in batches of all kinds. */
    public static <E> Batching<E> by(Function<? super E, ?> key) {
        return new Batching<>(key, entry -> 0, Nothing.APART);
    }

    /** The same, with the sizes of the entries. */
    public Batching<E> sized(ToLongFunction<? super E> size) {
        return new Batching<>(key, size, apart);
    }

    /** The same, with these entries in batches of their own. */
    public Batching<E> apart(Predicate<? super E> own) {
        return new Batching<>(key, bytes, own);
    }

    /** Whether some entries may be sent apart. */
    boolean hasTwoKinds() {
        return apart != Nothing.APART;
    }

    /** Recognizable, unlike a predicate of a caller. */
    private enum Nothing implements Predicate<Object> {
        APART;

        @Override
        public boolean test(Object entry) {
            return false;
        }
    }
}
