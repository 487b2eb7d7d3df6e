// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.jdbc.sql.Connections;
import dev.semel.spi.CacheEpoch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The single row of {@code semel_epoch}. */
final class EpochTable implements CacheEpoch {
    private static final String CURRENT = "SELECT epoch FROM semel_epoch WHERE id = 1";

    private static final String ADVANCE = """
            UPDATE semel_epoch SET epoch = CASE WHEN epoch + 1 > {now} THEN epoch + 1 ELSE {now} END WHERE id = 1
            """;

    /** In a group of MySQL, advances on different members conflict when they commit. */
    private static final int TRIES = 12;

    private final Connections connections;
    private final Dialect dialect;
    private final Duration statementTimeout;
    private final String advance;

    EpochTable(Connections connections, Dialect dialect, Duration statementTimeout) {
        this.connections = connections;
        this.dialect = dialect;
        this.statementTimeout = statementTimeout;
        this.advance = ADVANCE.replace("{now}", dialect.nowInMicros());
    }

    @Override
    public long current() {
        return connections.run(EpochTable::read);
    }

    /** The update locks the row, so the following read returns the epoch that this transaction wrote. */
    @Override
    public long advance() {
        return connections.run(
                TRIES,
                connection -> dialect.inTransaction(
                        connection,
                        inTransaction -> {
                            try (Statement statement = inTransaction.createStatement()) {
                                statement.executeUpdate(advance);
                            }
                            return read(inTransaction);
                        },
                        statementTimeout));
    }

    private static long read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(CURRENT)) {
            if (!rows.next()) {
                throw new SQLException(
                        "The row of the table semel_epoch is missing. Restore it: INSERT INTO semel_epoch VALUES (1, 1)");
            }
            return rows.getLong(1);
        }
    }
}
