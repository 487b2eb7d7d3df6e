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
 * A data source of one connection to one file, lent to one thread at a time: SQLite has one writer, and queueing for it
 * here is cheaper than its busy waiting. Threads get it in the order in which they asked, so that busy ones cannot keep
 * it from the others. The thread that borrowed it must close it.
 *
 * <p>Write-ahead log with a sync at every commit, so that what was acknowledged survives a power cut.
 */
public final class SqliteFile implements DataSource, AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final String SCHEME = "jdbc:sqlite:";
    private static final int SQLITE_ERROR = 1;

    /** Statements that begin no transaction. */
    private static final Pattern PLAIN =
            Pattern.compile("\\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\\b", Pattern.CASE_INSENSITIVE);

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(SqliteFile.class);

    private final String url;
    private final Duration longestWait;
    private final ReentrantLock lent = new ReentrantLock(true);

    /** Guarded by {@link #lent}. Replaced if it is found closed. */
    private Connection connection;

    private boolean closed;

    /** Whether the borrower could have sent a BEGIN as SQL. Guarded by {@link #lent}. */
    private boolean mayHaveBegun;

    private SqliteFile(String url, Duration longestWait) throws SQLException {
        this.url = url;
        this.longestWait = longestWait;
        this.connection = connect(url);
    }

    /** Opens the file, which is created with its folders if it is not there. Needs the SQLite driver on the class path. */
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
                    "The SQLite file %s could not be opened: is the folder writable, and org.xerial:sqlite-jdbc on the class path?"
                            .formatted(file),
                    e);
        }
    }

    /**
     * Opens a database by its JDBC URL, in a folder that exists.
     *
     * @param longestWait how long a thread waits for the connection before it gets an {@link SQLException}
     */
    public static SqliteFile at(String url, Duration longestWait) {
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException("The URL of an SQLite database starts with " + SCHEME);
        }
        try {
            return new SqliteFile(url, longestWait);
        } catch (SQLException e) {
            // The URL is not quoted: its options may hold a key.
            throw new StoreException(
                    Kind.UNREACHABLE,
                    "The SQLite database could not be opened: is its folder writable, and are the URL's options right?",
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
            throw new IllegalStateException("This thread is in a transaction on the SQLite file's only writer already:"
                    + " use that connection, or wait until it has ended");
        }
        try {
            if (!lent.tryLock(longestWait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTransientConnectionException("The SQLite connection was in use for too long");
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

    /** The connection itself, but for close(), which gives it back. */
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

    /** Rolling back costs as much as a small query, so it is left out where only queries and changes were prepared. */
    private static boolean canBegin(String method, Object @Nullable [] arguments) {
        return switch (method) {
            case "createStatement", "prepareCall", "unwrap" -> true;
            case "prepareStatement" ->
                arguments == null || !PLAIN.matcher((String) arguments[0]).lookingAt();
            default -> false;
        };
    }

    /** Whoever has given the connection back must not reach into the transaction of the next borrower. */
    private static boolean ofClosed(String method) throws SQLException {
        return switch (method) {
            case "isClosed" -> true;
            case "isValid" -> false;
            default -> throw new SQLNonTransientConnectionException("The connection is closed", "08003");
        };
    }

    /** Rolls back what was not committed. A connection on which that fails is closed, and replaced by the next borrower. */
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

    /** The driver does not know of a BEGIN that was sent as SQL. Without one, SQLite says that there is none. */
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
