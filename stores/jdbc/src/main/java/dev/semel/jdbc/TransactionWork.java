// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.RunContext;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Work that must happen exactly once: SQL on this connection, committed together with the claim. */
@FunctionalInterface
public interface TransactionWork<T extends @Nullable Object> {
    /** Runs inside the transaction. It must not commit, roll back or close the connection. */
    T run(Connection connection, RunContext run) throws Exception;
}
