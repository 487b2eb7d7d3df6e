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
 * What a database error means for the caller, by SQLState and vendor code, never by its message. In doubt it is {@link
 * Kind#UNREACHABLE}: sending the same command again is always safe, taking it for lost is not.
 */
public final class SqlFailures {
    /** Serialisation failure, deadlock, lock not available, cancelled by a time-out. */
    private static final Set<String> BUSY_STATES = Set.of("40001", "40P01", "55P03", "57014", "70100");

    /** MariaDB and MySQL: lock wait time-out, deadlock, statement time-out, no-wait lock refused. */
    private static final Set<Integer> MARIADB_BUSY = Set.of(1205, 1213, 1969, 3024, 3572);

    /** MariaDB and MySQL: packet too large. The server drops the connection, but another try is no better. */
    private static final int MARIADB_PACKET_TOO_LARGE = 1153;

    /** SQLite: busy, locked. */
    private static final Set<Integer> SQLITE_BUSY = Set.of(5, 6);

    /** SQLite: too big, constraint, mismatch, misuse, range, error in the statement. */
    private static final Set<Integer> SQLITE_REJECTED = Set.of(1, 18, 19, 20, 21, 25);

    /** Classes of SQLState in which the command or the schema is at fault: data, constraint, syntax or privilege. */
    private static final Set<String> REJECTED_CLASSES = Set.of("21", "22", "23", "42", "44", "54");

    private SqlFailures() {}

    public static StoreException translate(SQLException failure) {
        Kind kind = kindOf(failure);
        String message = switch (kind) {
            case BUSY -> "The database is busy";
            case REJECTED -> "The database would not take the statement";
            case UNREACHABLE -> "The database did not answer";
        };
        return new StoreException(
                kind,
                "%s (SQLState %s, code %d)".formatted(message, failure.getSQLState(), failure.getErrorCode()),
                failure);
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
            // SQLite has no SQLState; the low byte is the primary code.
            return SQLITE_BUSY.contains(code & 0xff)
                    ? Kind.BUSY
                    : SQLITE_REJECTED.contains(code & 0xff) ? Kind.REJECTED : Kind.UNREACHABLE;
        }
        if (isBusy(state, code)) {
            return Kind.BUSY;
        }
        boolean rejected = code == MARIADB_PACKET_TOO_LARGE
                || (state != null && state.length() == 5 && REJECTED_CLASSES.contains(state.substring(0, 2)));
        return rejected ? Kind.REJECTED : Kind.UNREACHABLE;
    }

    /**
     * Whether a driver failed without asking its server, on a closed connection for example. MariaDB's driver says so by a
     * negative code; its SQLState is then 42000, as if a statement were at fault.
     */
    public static boolean isDriversOwn(SQLException failure) {
        return failure.getErrorCode() < 0;
    }

    private static boolean isBusy(@Nullable String state, int code) {
        return (state != null && BUSY_STATES.contains(state)) || MARIADB_BUSY.contains(code);
    }
}
