// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Work;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows which claims are nested: the work of another one runs in their transaction, of any {@link TransactionalClaims}. It runs on
 * the same thread, where the connection may be another wrapper, or it passes its connection to another thread.
 */
final class RunningWork {
    private static final ThreadLocal<@Nullable Boolean> ON_THREAD = new ThreadLocal<>();
    private static final Set<Same> CONNECTIONS = ConcurrentHashMap.newKeySet();

    private RunningWork() {}

    /** Whether a claim on this connection is nested. Also true on a thread whose work uses another connection, which costs little. */
    static boolean isAround(Connection connection) {
        return ON_THREAD.get() != null || CONNECTIONS.contains(new Same(connection));
    }

    /** The same work, marked while it runs. */
    static <T extends @Nullable Object> Work<T> of(Connection connection, Work<T> work) {
        return run -> {
            Same same = new Same(connection);
            boolean first = CONNECTIONS.add(same);
            boolean firstOnThread = ON_THREAD.get() == null;
            ON_THREAD.set(true);
            try {
                return work.run(run);
            } finally {
                if (firstOnThread) {
                    ON_THREAD.remove();
                }
                if (first) {
                    CONNECTIONS.remove(same);
                }
            }
        };
    }

    /** Compares by identity. Connections may do otherwise. */
    private static final class Same {
        private final Connection connection;

        Same(Connection connection) {
            this.connection = connection;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Same that && connection == that.connection;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(connection);
        }
    }
}
