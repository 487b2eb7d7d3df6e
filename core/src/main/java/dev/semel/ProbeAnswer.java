// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import org.jspecify.annotations.Nullable;

/** The answer of a {@link Probe} about an attempt whose owner disappeared. */
public sealed interface ProbeAnswer<T extends @Nullable Object> {
    /** The effect happened, with this result, which is stored. Nothing runs. */
    record Done<T extends @Nullable Object>(T value) implements ProbeAnswer<T> {}

    /** The effect did not happen, so the work runs. */
    record NotDone<T extends @Nullable Object>() implements ProbeAnswer<T> {}

    /** It cannot be known, so the claim is parked for a person. */
    record Unknown<T extends @Nullable Object>(String reason) implements ProbeAnswer<T> {}

    static <T extends @Nullable Object> ProbeAnswer<T> done(T value) {
        return new Done<>(value);
    }

    static <T extends @Nullable Object> ProbeAnswer<T> notDone() {
        return new NotDone<>();
    }

    static <T extends @Nullable Object> ProbeAnswer<T> unknown(String reason) {
        return new Unknown<>(reason);
    }
}
