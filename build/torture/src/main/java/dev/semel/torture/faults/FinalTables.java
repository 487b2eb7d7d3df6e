// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.torture.history.HistoryFile;
import dev.semel.torture.history.RecordedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Reads what the tables hold after a round. */
final class FinalTables implements FinalState {
    private static final List<String> TABLES =
            List.of("idempotency_keys", "semel_key_history", "semel_key_replays", "webhook_inbox", "torture_effects");

    private final TortureStore store;

    FinalTables(TortureStore store) {
        this.store = store;
    }

    @Override
    public void read(String round, HistoryFile history) throws SQLException {
        try (Connection connection = store.connect()) {
            read(
                    connection,
                    "SELECT item, hash FROM torture_effects WHERE item LIKE ?",
                    "%-" + round + "-%",
                    "effects",
                    history);
            read(connection, "SELECT '', id FROM events WHERE org_id = ?", "org-" + round, "ledger", history);
            read(connection, "SELECT '', id FROM webhook_inbox WHERE tenant = ?", "inbox-" + round, "inbox", history);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM torture_uncommitted")) {
                if (rows.next() && rows.getLong(1) > 0) {
                    history.write(new RecordedEvent.Unexpected(
                            System.nanoTime(),
                            "",
                            "%d rows of somebody else's open transaction were committed".formatted(rows.getLong(1))));
                }
            }
        }
    }

    /** The ledger can only grow. */
    @Override
    public void clear() throws SQLException {
        String empty = store.port() == 0 ? "DELETE FROM " : "TRUNCATE TABLE ";
        try (Connection connection = store.connect();
                Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.executeUpdate(empty + table);
            }
        }
    }

    private static void read(Connection connection, String sql, String parameter, String stream, HistoryFile history)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, parameter);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    history.write(
                            new RecordedEvent.Stored(System.nanoTime(), rows.getString(1), stream, rows.getString(2)));
                }
            }
        }
    }
}
