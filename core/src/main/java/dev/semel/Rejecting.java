// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import org.jspecify.annotations.Nullable;

/** Remembers that the work of one run ended with a rejection. */
final class Rejecting {
    private final DetailsCodec codec;
    private volatile @Nullable Rejection rejection;

    Rejecting(DetailsCodec codec) {
        this.codec = codec;
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // The runner takes the rejection, never this null.
    <T extends @Nullable Object> T reject(String code, @Nullable Object details) {
        rejection = Rejection.of(code, details, codec);
        return null;
    }

    void clear() {
        rejection = null;
    }

    /** Null if the work did not reject. */
    @Nullable
    Rejection rejection() {
        return rejection;
    }
}
