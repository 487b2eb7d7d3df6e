// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import org.jspecify.annotations.Nullable;

/** Thrown by a {@link BatchMessageHandler}: the messages before an index are done, and the one at the index failed. */
public final class BatchFailedAtException extends Exception {
    private static final long serialVersionUID = 1;

    private final int index;

    /** @param index the index of the failed message in the list that the handler received */
    public BatchFailedAtException(int index, @Nullable Throwable cause) {
        super("The message at index %d of the batch failed".formatted(index), cause);
        if (index < 0) {
            throw new IllegalArgumentException("An index must not be negative, but is " + index);
        }
        this.index = index;
    }

    public int index() {
        return index;
    }
}
