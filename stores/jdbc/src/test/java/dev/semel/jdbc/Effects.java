// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A table for effects without a unique key, so that repeated work is visible as repeated rows. */
final class Effects {
    private final ClaimDatabase database;

    private Effects(ClaimDatabase database) {
        this.database = database;
    }

    static Effects in(ClaimDatabase database) {
        database.execute("CREATE TABLE effects (name VARCHAR(100) NOT NULL CHECK (name <> 'poison'))");
        return new Effects(database);
    }

    /** On MySQL, with a key: members of a group accept no table without one. */
    static Effects inGroup(ClaimDatabase database) {
        database.execute("""
                CREATE TABLE effects (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(100) NOT NULL)""");
        return new Effects(database);
    }

    static void add(Connection connection, String name) throws SQLException {
        addAll(connection, List.of(name));
    }

    static void addAll(Connection connection, List<String> names) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO effects (name) VALUES (?)")) {
            for (String name : names) {
                statement.setString(1, name);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** How often each effect was committed. */
    Map<String, Integer> counts() {
        return counts("SELECT name, count(*) FROM effects GROUP BY name");
    }

    /** The number of claims by status. */
    Map<String, Integer> claims() {
        return counts("SELECT status, count(*) FROM idempotency_keys GROUP BY status");
    }

    private Map<String, Integer> counts(String sql) {
        Map<String, Integer> counts = new HashMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                counts.put(rows.getString(1), rows.getInt(2));
            }
            return counts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
