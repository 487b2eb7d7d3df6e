// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.SqlFailures;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A data source with one connection to one file, lent to one thread at a time. SQLite has one writer, and queueing for
 * it here is cheaper than its busy waiting. Threads receive the connection in the order of their requests. The thread
 * that borrowed it must close it.
 *
 * <p>Uses a write-ahead log with a sync at every commit, so acknowledged commits survive a power failure.
 */
public final class SqliteFile implements DataSource, AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final String SCHEME = "jdbc:sqlite:";
    private static final int SQLITE_ERROR = 1;

    /** Statements that cannot begin a transaction. */
    private static final Pattern PLAIN =
            Pattern.compile("\\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\\b", Pattern.CASE_INSENSITIVE);

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(SqliteFile.class);

    private final String url;
    private final Duration longestWait;
    private final ReentrantLock lent = new ReentrantLock(true);

    /** Guarded by {@link #lent}. Replaced if it is closed. */
    private Connection connection;

    private boolean closed;

    /** Whether the borrower could have sent BEGIN as SQL. Guarded by {@link #lent}. */
    private boolean mayHaveBegun;

    private SqliteFile(String url, Duration longestWait) throws SQLException {
        this.url = url;
        this.longestWait = longestWait;
        this.connection = connect(url);
    }

    /**
     * Opens the file and creates it, and its folders, if it does not exist. Requires the SQLite driver on the class
     * path.
     */
    public static SqliteFile open(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            return new SqliteFile(SCHEME + file, LONGEST_WAIT);
        } catch (IOException | SQLException e) {
            throw new StoreException(
                    Kind.UNREACHABLE,
                    "The SQLite file %s could not be opened. Check that its folder is writable and that org.xerial:sqlite-jdbc is on the class path."
                            .formatted(file),
                    e);
        }
    }

    /**
     * Opens a database by its JDBC URL. The folder must exist.
     *
     * @param longestWait how long a thread waits for the connection before it receives an {@link SQLException}
     */
    public static SqliteFile at(String url, Duration longestWait) {
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException("The URL of an SQLite database must start with " + SCHEME);
        }
        try {
            return new SqliteFile(url, longestWait);
        } catch (SQLException e) {
            // The message does not contain the URL, because its options may contain a key.
            throw new StoreException(
                    Kind.UNREACHABLE,
                    "The SQLite database could not be opened. Check that its folder is writable and the options of the URL.",
                    e);
        }
    }

    private static Connection connect(String url) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("journal_mode", "WAL");
        settings.setProperty("synchronous", "FULL");
        settings.setProperty("transaction_mode", "IMMEDIATE");
        settings.setProperty("busy_timeout", "2000");
        return DriverManager.getConnection(url, settings);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (lent.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "This thread already has a transaction on the single writer of the SQLite file:"
                            + " use that connection, or end it first");
        }
        try {
            if (!lent.tryLock(longestWait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTransientConnectionException(
                        "Timeout while waiting for the SQLite connection, which is in use");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("Interrupted while waiting for the SQLite connection", e);
        }
        try {
            if (!closed && connection.isClosed()) {
                connection = connect(url);
            }
            return lend();
        } catch (SQLException | RuntimeException | Error e) {
            lent.unlock();
            throw e;
        }
    }

    /** Returns the connection with a close() that returns it to this data source. */
    private Connection lend() {
        boolean[] returned = {false};
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        if (!returned[0]) {
                            if (!lent.isHeldByCurrentThread()) {
                                throw new SQLException("The connection must be closed by the thread that borrowed it");
                            }
                            returned[0] = true;
                            takeBack();
                        }
                        return null;
                    }
                    if (returned[0] && method.getDeclaringClass() != Object.class) {
                        return ofClosed(method.getName());
                    }
                    mayHaveBegun |= canBegin(method.getName(), arguments);
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    /** A rollback costs as much as a small query, so it is skipped if only queries and changes were prepared. */
    private static boolean canBegin(String method, Object @Nullable [] arguments) {
        return switch (method) {
            case "createStatement", "prepareCall", "unwrap" -> true;
            case "prepareStatement" ->
                arguments == null || !PLAIN.matcher((String) arguments[0]).lookingAt();
            default -> false;
        };
    }

    /** A closed connection must not reach into the transaction of the next borrower. */
    private static boolean ofClosed(String method) throws SQLException {
        return switch (method) {
            case "isClosed" -> true;
            case "isValid" -> false;
            default -> throw new SQLNonTransientConnectionException("The connection is closed", "08003");
        };
    }

    /**
     * Rolls back an uncommitted transaction. If that fails, the connection is closed, and the next borrower opens a new
     * one.
     */
    private void takeBack() {
        try {
            if (!connection.isClosed()) {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                    connection.setAutoCommit(true);
                } else if (mayHaveBegun) {
                    rollBackWhatSqlBegan();
                }
            }
        } catch (SQLException e) {
            LOG.debug("SQLite connection closed because an open transaction could not be rolled back", e);
            closeQuietly();
        } finally {
            mayHaveBegun = false;
            lent.unlock();
        }
    }

    /**
     * The driver does not know about a BEGIN that was sent as SQL. If there was none, SQLite reports an error, which is
     * ignored.
     */
    private void rollBackWhatSqlBegan() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            if ((e.getErrorCode() & 0xff) != SQLITE_ERROR) {
                throw e;
            }
        }
    }

    private void closeQuietly() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("SQLite connection could not be closed", e);
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public void close() {
        lent.lock();
        try {
            closed = true;
            connection.close();
        } catch (SQLException e) {
            throw SqlFailures.translate(e);
        } finally {
            lent.unlock();
        }
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("Semel logs through SLF4J");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("This data source wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
