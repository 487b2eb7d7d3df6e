// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes the rows of {@link GroupedClaims}, for many callers at once. */
@FunctionalInterface
public interface GroupEffect<R> {
    /**
     * Writes these rows, ideally in one statement. All of them are new, and they are committed together with their claims.
     * The effect must not commit, roll back or close the connection. It must have no other effects, because it is called
     * again with fewer rows if one of them fails.
     */
    void apply(Connection connection, List<R> newRows) throws SQLException;

    /** The approximate size of a row. A batch contains at most 4 MiB of rows and results; a larger row is sent alone. */
    default long bytes(R row) {
        return 0;
    }
}
