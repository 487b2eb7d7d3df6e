// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.RunContext;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** What must happen exactly once: SQL on this connection, which is committed together with the claim. */
@FunctionalInterface
public interface TransactionWork<T extends @Nullable Object> {
    /** Runs inside the transaction; it neither commits nor rolls back nor closes the connection. */
    T run(Connection connection, RunContext run) throws Exception;
}
