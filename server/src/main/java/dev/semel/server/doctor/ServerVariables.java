// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads settings of a database server. All queries are constants of this package. */
final class ServerVariables {
    private final Connection connection;

    ServerVariables(Connection connection) {
        this.connection = connection;
    }

    /** The first column of the first row; empty if there is none. */
    String one(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            String text = rows.next() ? rows.getString(1) : null;
            return text == null ? "" : text;
        }
    }

    /** The first two columns of all rows, as names and values. */
    Map<String, String> pairs(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            Map<String, String> all = new TreeMap<>();
            while (rows.next()) {
                all.put(rows.getString(1).toLowerCase(Locale.ROOT), String.valueOf(rows.getString(2)));
            }
            return all;
        }
    }

    /** The first column of all rows. */
    Set<String> all(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            Set<String> all = new HashSet<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        }
    }
}
