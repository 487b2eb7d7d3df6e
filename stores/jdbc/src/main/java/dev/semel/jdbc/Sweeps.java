// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.NamedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * One bounded sweep. It looks at rows whose {@code due_at} has come, which is never later than the moment from which
 * there is something to do: a claim's TTL after it was made or taken over. Those that ran for a while, or wait for a
 * person, are due again later.
 */
record Sweeps(int limit) {
    Parameters parameters() {
        return Parameters.none().put("limit", limit).put("reason", SweepReport.ABANDONED);
    }

    /** What is due but not yet over is put off first, so that nothing stands before what is. */
    SweepReport run(Connection connection, NamedSql postpone, NamedSql delete, NamedSql move) throws SQLException {
        int postponed = changed(connection, postpone);
        int deleted = changed(connection, delete);
        int released = 0;
        int parked = 0;
        try (PreparedStatement statement = move.prepare(connection, parameters());
                ResultSet movedTo = statement.executeQuery()) {
            while (movedTo.next()) {
                if (Status.valueOf(movedTo.getString("status")) == Status.UNKNOWN) {
                    parked++;
                } else {
                    released++;
                }
            }
        }
        // Each looked at the next rows that were due: only if there were fewer than so many, that was all.
        boolean more = postponed + deleted + released + parked >= limit;
        return new SweepReport(deleted, released, parked, more);
    }

    private int changed(Connection connection, NamedSql sql) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, parameters())) {
            return statement.executeUpdate();
        }
    }
}
