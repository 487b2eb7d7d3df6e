// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classifies database errors by SQLState and vendor code, never by message. If in doubt, an error is {@link
 * Kind#UNREACHABLE}: sending the same command again is always safe, treating it as lost is not.
 */
public final class SqlFailures {
    /** Serialization failure, deadlock, lock not available, cancelled by a timeout. */
    private static final Set<String> BUSY_STATES = Set.of("40001", "40P01", "55P03", "57014", "70100");

    /**
     * MariaDB and MySQL: lock wait timeout, deadlock, statement timeout, lock not available without waiting; too many connections
     * or prepared statements, of all users or of this one. In a group of MySQL: the commit was refused because another member had
     * changed the same rows, or earlier commits of others were not applied in time. Nothing was executed.
     */
    private static final Set<Integer> MARIADB_BUSY = Set.of(1205, 1213, 1969, 3024, 3572, 1203, 1226, 1461, 3101, 3797);

    /**
     * MySQL: the storage engine failed during the commit, usually because a change of another member of the group took the
     * locks. It has other causes too, so the outcome is unknown.
     */
    private static final int MYSQL_COMMIT_FAILED = 1180;

    /** MySQL: the group does not answer during the commit, whose outcome is unknown; the server is no working member. */
    private static final Set<Integer> MYSQL_NO_MEMBER = Set.of(3100, 3796);

    /** MariaDB and MySQL: packet too large. The server closes the connection, but a retry would fail as well. */
    private static final int MARIADB_PACKET_TOO_LARGE = 1153;

    /** MariaDB and MySQL: access to a database, a table, a column is denied. */
    private static final Set<Integer> PRIVILEGES = Set.of(1044, 1142, 1143);

    /** PostgreSQL: the user may not access a table. */
    private static final String MISSING_PRIVILEGE = "42501";

    /** MariaDB and MySQL: the session has no database. */
    private static final int MARIADB_NO_DATABASE = 1046;

    /** MySQL: the binary log's format allows no change at this isolation level. */
    private static final int MYSQL_BINLOG_FORMAT = 1665;

    /** MariaDB and MySQL: too many prepared statements. */
    private static final int MARIADB_PREPARED = 1461;

    /** MariaDB and MySQL: read_only. */
    private static final int MARIADB_READ_ONLY = 1290;

    /** PostgreSQL: a read-only transaction, as on a standby. */
    private static final String READ_ONLY = "25006";

    /** MySQL: a check constraint, and text that is invalid in its column's character set. It has no better SQLState than HY000. */
    private static final Set<Integer> MYSQL_REJECTED = Set.of(3819, 1366, MYSQL_BINLOG_FORMAT);

    /** SQLite: busy, locked. */
    private static final Set<Integer> SQLITE_BUSY = Set.of(5, 6);

    /** SQLite: too big, constraint, mismatch, misuse, range, error in the statement. */
    private static final Set<Integer> SQLITE_REJECTED = Set.of(1, 18, 19, 20, 21, 25);

    /** SQLState classes caused by the command or the schema: data, constraint, syntax or privilege. */
    private static final Set<String> REJECTED_CLASSES = Set.of("21", "22", "23", "42", "44", "54");

    private SqlFailures() {}

    public static StoreException translate(SQLException failure) {
        Kind kind = kindOf(failure);
        String message = switch (kind) {
            case BUSY -> "The database is busy";
            case REJECTED -> "The database rejected the statement";
            case UNREACHABLE -> "The database did not answer";
        };
        return new StoreException(
                kind,
                "%s (SQLState %s, code %d)%s"
                        .formatted(message, failure.getSQLState(), failure.getErrorCode(), fix(failure)),
                failure);
    }

    /** What a user can do, for failures of which the usual cause is known. */
    public static String fix(SQLException failure) {
        if (PRIVILEGES.contains(failure.getErrorCode()) || MISSING_PRIVILEGE.equals(failure.getSQLState())) {
            return ". The database user needs SELECT, INSERT, UPDATE and DELETE on Semel's tables";
        }
        if (failure.getErrorCode() == MARIADB_READ_ONLY || READ_ONLY.equals(failure.getSQLState())) {
            return ". The server or the pool is read-only: connect to the primary, and do not set the pool to read-only";
        }
        if (MYSQL_NO_MEMBER.contains(failure.getErrorCode())) {
            return ". The server is no working member of its group: connect to another one";
        }
        if (failure.getErrorCode() == MYSQL_BINLOG_FORMAT) {
            return ". Set binlog_format = ROW on the server";
        }
        if (failure.getErrorCode() == MARIADB_PREPARED) {
            return ". Increase max_prepared_stmt_count on the server";
        }
        if (failure.getErrorCode() == MARIADB_NO_DATABASE) {
            return ". The JDBC URL must name a database";
        }
        if (failure instanceof SQLTransientConnectionException) {
            return ". No connection could be had from the pool in time: the database is away, or the pool is too small or its"
                    + " connections are not given back. Each running inTransaction holds one";
        }
        return "";
    }

    public static Kind kindOf(SQLException failure) {
        String state = failure.getSQLState();
        int code = failure.getErrorCode();
        if (failure instanceof SQLTransientConnectionException
                || (failure instanceof SQLNonTransientConnectionException && code != MARIADB_PACKET_TOO_LARGE)) {
            return Kind.UNREACHABLE;
        }
        if (isDriversOwn(failure)) {
            return Kind.UNREACHABLE;
        }
        if (failure.getClass().getName().startsWith("org.sqlite.")) {
            // SQLite has no SQLState. The low byte of its code is the primary code.
            return SQLITE_BUSY.contains(code & 0xff)
                    ? Kind.BUSY
                    : SQLITE_REJECTED.contains(code & 0xff) ? Kind.REJECTED : Kind.UNREACHABLE;
        }
        if (isBusy(state, code)) {
            return Kind.BUSY;
        }
        boolean rejected = code == MARIADB_PACKET_TOO_LARGE
                || MYSQL_REJECTED.contains(code)
                || (state != null && state.length() == 5 && REJECTED_CLASSES.contains(state.substring(0, 2)));
        return rejected ? Kind.REJECTED : Kind.UNREACHABLE;
    }

    /** Whether the same statements may succeed at once if they are sent again, also if their outcome is unknown. */
    static boolean isSentAgain(SQLException failure) {
        return kindOf(failure) == Kind.BUSY || hasFailedCommit(failure);
    }

    /** Whether the storage engine failed during the commit. MySQL also reports this for a statement of a transaction that it has ended. */
    public static boolean hasFailedCommit(SQLException failure) {
        return failure.getErrorCode() == MYSQL_COMMIT_FAILED;
    }

    /** Whether the server accepts no writes, or is no working member of its group, so that another connection may do better. */
    static boolean isStranded(SQLException failure) {
        return failure.getErrorCode() == MARIADB_READ_ONLY || MYSQL_NO_MEMBER.contains(failure.getErrorCode());
    }

    /**
     * Whether the driver failed without asking its server, for example on a closed connection. MariaDB's driver reports
     * this by a negative code, with the misleading SQLState 42000.
     */
    public static boolean isDriversOwn(SQLException failure) {
        return failure.getErrorCode() < 0;
    }

    private static boolean isBusy(@Nullable String state, int code) {
        return (state != null && BUSY_STATES.contains(state)) || MARIADB_BUSY.contains(code);
    }
}
