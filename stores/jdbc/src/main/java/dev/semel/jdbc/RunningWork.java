// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Work;
import org.jspecify.annotations.Nullable;

/** Knows whether the current thread runs the work of a claim in a transaction, of any {@link TransactionalClaims}. */
final class RunningWork {
    private static final ThreadLocal<@Nullable Boolean> RUNNING = new ThreadLocal<>();

    private RunningWork() {}

    static boolean isOnThisThread() {
        return RUNNING.get() != null;
    }

    /** The same work, marked while it runs. */
    static <T extends @Nullable Object> Work<T> of(Work<T> work) {
        return run -> {
            Boolean outer = RUNNING.get();
            RUNNING.set(true);
            try {
                return work.run(run);
            } finally {
                if (outer == null) {
                    RUNNING.remove();
                }
            }
        };
    }
}
