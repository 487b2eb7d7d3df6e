// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.jdbc.sql.Database;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Compares the database's clock with this machine's. */
final class ClockCheck {
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    private ClockCheck() {}

    static Optional<Finding> of(ServerVariables variables, Database database, Clock clock) throws SQLException {
        String query = switch (database) {
            case POSTGRESQL -> "SELECT extract(epoch FROM clock_timestamp()) * 1000";
            case MARIADB, MYSQL -> "SELECT unix_timestamp(sysdate(3)) * 1000";
            // SQLite runs in this process and uses the same clock.
            case SQLITE -> "";
        };
        if (query.isEmpty()) {
            return Optional.empty();
        }
        long before = clock.millis();
        long there = new BigDecimal(variables.one(query)).longValue();
        long after = clock.millis();
        // The query was answered somewhere in between, so only a time outside is wrong for certain.
        long apart = Math.max(Math.max(before - there, there - after), 0);
        if (apart <= TOLERANCE.toMillis()) {
            return Optional.empty();
        }
        return Optional.of(Finding.warning(
                "clock",
                "The database's clock and this machine's are %d s apart. Leases and retention use the database's, which is safe;"
                                .formatted(apart / 1_000)
                        + " signatures with a time use this machine's and may be refused",
                "Synchronize both clocks, such as with chrony or systemd-timesyncd"));
    }
}
