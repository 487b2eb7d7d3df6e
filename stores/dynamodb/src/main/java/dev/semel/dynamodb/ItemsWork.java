// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.RunContext;
import org.jspecify.annotations.Nullable;

/** Work that must happen exactly once: it reads and computes, and returns what has to be written together with the claim. */
@FunctionalInterface
public interface ItemsWork<T extends @Nullable Object> {
    /**
     * Must not write anything itself: it may be called again before its items are written once. Returns the items, never null
     * unless it has rejected the request ({@link RunContext#reject}). Without items: {@code TransactionItems.of(value)}.
     */
    TransactionItems<T> run(RunContext run) throws Exception;
}
