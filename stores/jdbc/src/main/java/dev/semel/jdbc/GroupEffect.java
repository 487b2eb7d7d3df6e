// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What {@link GroupedClaims} writes for many callers at once. */
@FunctionalInterface
public interface GroupEffect<R> {
    /**
     * Writes these rows, ideally in one statement: they are new, and they are committed together with their claims. It
     * neither commits nor rolls back nor closes the connection, and does nothing else that must happen once: it is called
     * again, with fewer rows, if one of them turns out to be bad.
     */
    void apply(Connection connection, List<R> newRows) throws SQLException;

    /** About how many bytes a row has; a batch holds 4 MiB of rows and results at most, and a larger row goes alone. */
    default long bytes(R row) {
        return 0;
    }
}
