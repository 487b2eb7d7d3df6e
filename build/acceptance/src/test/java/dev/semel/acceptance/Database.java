// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import dev.semel.testservers.DatabaseServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The database of a server, to read the documented tables. */
record Database(String url, String user, String password) {

    static Database on(DatabaseServer server) {
        Marks.keepOutOfLogs(server.password());
        return new Database(server.createDatabase("acceptance_" + Marks.unique()), server.user(), server.password());
    }

    /** The embedded database: the SQLite file in a data folder. */
    static Database embedded(Path data) {
        try (Stream<Path> files = Files.walk(data)) {
            Path file = files.filter(Files::isRegularFile)
                    .filter(Database::isSqlite)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("No SQLite database in the data folder"));
            return new Database("jdbc:sqlite:" + file, "", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSqlite(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(15), StandardCharsets.ISO_8859_1).equals("SQLite format 3");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Connection connect() throws SQLException {
        return user.isEmpty() ? DriverManager.getConnection(url) : DriverManager.getConnection(url, user, password);
    }

    /** The first column of the rows of a query. */
    List<String> column(String sql, Object... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void execute(String sql) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    long count(String sql, Object... parameters) {
        return Long.parseLong(column(sql, parameters).get(0));
    }
}
