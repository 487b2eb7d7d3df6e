// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import java.sql.ResultSet;
import java.sql.SQLException;

/** One bounded sweep: what it binds, and how its report comes about. */
record Sweeps(int limit) {
    Parameters parameters() {
        return Parameters.none().put("limit", limit).put("reason", SweepReport.ABANDONED);
    }

    SweepReport report(int deleted, int released, int parked) {
        return new SweepReport(deleted, released, parked, deleted == limit || released + parked == limit);
    }

    /** The report, from the states that abandoned rows were moved to. */
    SweepReport report(int deleted, ResultSet movedTo) throws SQLException {
        int released = 0;
        int parked = 0;
        while (movedTo.next()) {
            if (Status.valueOf(movedTo.getString("status")) == Status.UNKNOWN) {
                parked++;
            } else {
                released++;
            }
        }
        return report(deleted, released, parked);
    }
}
