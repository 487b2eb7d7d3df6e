// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * JDBC access to a database server.
 *
 * @param urlPrefix the URL up to the name of the database
 * @param timeouts properties of the driver that keep a connection from waiting without limit
 */
record JdbcAccess(String urlPrefix, String user, String password, Map<String, String> timeouts) {

    private static final Pattern DATABASE_NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    JdbcAccess {
        timeouts = Map.copyOf(timeouts);
    }

    String url(String database) {
        return urlPrefix + database;
    }

    String createDatabase(String from, String name) {
        if (!DATABASE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Invalid name of a database (use lower-case letters, digits and underscores): " + name);
        }
        try (Connection connection = connect(from);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE %s".formatted(name));
            return url(name);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot create database " + name, e);
        }
    }

    /** Runs a query and requires this value. */
    void requireAnswer(String database, String question, String expected) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            String answer = rows.next() ? rows.getString(1) : "nothing";
            if (!expected.equals(answer)) {
                throw new IllegalStateException("The server returned %s instead of %s".formatted(answer, expected));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("No answer from " + url(database), e);
        }
    }

    Connection connect(String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.putAll(timeouts);
        return DriverManager.getConnection(url(database), properties);
    }
}
