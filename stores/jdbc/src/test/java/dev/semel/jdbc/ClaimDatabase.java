// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.FreshDatabase;
import dev.semel.testservers.MySqlServer;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** An empty database for claims, which can move claims into the past. */
final class ClaimDatabase extends FreshDatabase {
    private final @Nullable Path file;
    private final String backdate;
    private final boolean mysql;
    private Connection backdating;

    private ClaimDatabase(DatabaseServer server, String backdate) {
        super(server);
        this.file = null;
        this.backdate = backdate;
        this.mysql = server instanceof MySqlServer;
    }

    private ClaimDatabase(Path file) {
        super(file);
        this.file = file;
        this.backdate = "- ?";
        this.mysql = false;
    }

    /** Only SQLite uses the file. */
    static ClaimDatabase of(DatabaseKind kind, Path file) {
        return switch (kind) {
            case POSTGRESQL, MARIADB, MYSQL -> on(kind.sharedServer());
            case SQLITE -> sqlite(file);
        };
    }

    static ClaimDatabase on(DatabaseServer server) {
        return server instanceof PostgresServer ? postgres(server) : mariadb(server);
    }

    static ClaimDatabase postgres(DatabaseServer server) {
        return new ClaimDatabase(server, "- ? * interval '1 microsecond'");
    }

    /** MariaDB or MySQL. */
    static ClaimDatabase mariadb(DatabaseServer server) {
        return new ClaimDatabase(server, "- INTERVAL ? MICROSECOND");
    }

    static ClaimDatabase sqlite(Path file) {
        return new ClaimDatabase(file);
    }

    /** A store with this many connections. It is closed with the database. */
    JdbcClaimStore store(int connections) {
        return closing(file == null ? JdbcClaimStore.migrating(pool(connections)) : JdbcClaimStore.sqlite(file));
    }

    /** On MySQL at READ COMMITTED, which claims in a transaction need. */
    DataSource pool(int size) {
        return pool(committed(url()), size, LONG_WAIT);
    }

    /** A transaction of a caller, at a level that claims in it may have. */
    Connection begin() throws SQLException {
        Connection connection = DriverManager.getConnection(committed(url()), user(), password());
        connection.setAutoCommit(false);
        return connection;
    }

    /** At the isolation level that the server has by default. */
    DataSource defaultPool(int size) {
        return pool(url(), size, LONG_WAIT);
    }

    private String committed(String url) {
        return mysql
                ? url + (url.contains("?") ? "&" : "?") + "sessionVariables=transaction_isolation='READ-COMMITTED'"
                : url;
    }

    /** For PostgreSQL: with the driver's setting that a pooler in transaction mode needs. No statement is prepared by name. */
    DataSource unpreparedPool(int size) {
        return pool(url() + "?prepareThreshold=0", size, LONG_WAIT);
    }

    /** For MariaDB and MySQL: with statements that are prepared on the server. */
    DataSource preparedPool(int size) {
        return pool(committed(url() + "?useServerPrepStmts=true&cachePrepStmts=true"), size, LONG_WAIT);
    }

    /** For tests that stop the database and continue when it answers again. */
    DataSource hastyPool(int size) {
        return hastyPool(url(), size);
    }

    DataSource hastyPool(String atUrl, int size) {
        return pool(committed(atUrl), size, SHORT_WAIT);
    }

    /** Backdates every moment of one row. It reuses one connection, because the contract calls it a thousand times. */
    synchronized void age(ClaimRef ref, Duration by) {
        String sql = """
                UPDATE idempotency_keys
                SET created_at = created_at {by}, lease_until = lease_until {by}, run_until = run_until {by},
                    completed_at = completed_at {by}, due_at = due_at {by}
                WHERE key_hash = ? AND tenant = ?
                """.replace("{by}", backdate);
        try (PreparedStatement statement = backdating().prepareStatement(sql)) {
            for (int i = 1; i <= 5; i++) {
                statement.setLong(i, ClaimParameters.micros(by));
            }
            statement.setBytes(6, ref.digest().bytes());
            statement.setString(7, ref.tenant());
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Connection backdating() throws SQLException {
        if (backdating == null) {
            backdating = closing(connect());
        }
        return backdating;
    }
}
