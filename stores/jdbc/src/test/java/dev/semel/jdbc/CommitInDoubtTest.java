// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Commits that fail again and again without saying whether they took effect, as on a disk that is full for two seconds. The
 * torture found it on SQLite with the seed 30024: after eight quick tries the outcome was still unknown.
 */
@ParameterizedClass
@EachDatabase
class CommitInDoubtTest extends TransactionalCase {
    private static final int FAILURES = 12;

    CommitInDoubtTest(DatabaseKind kind) {
        super(kind);
    }

    @Test
    void theOutcomeIsLookedForUntilItIsKnown() throws SQLException {
        AtomicInteger commits = new AtomicInteger();
        TransactionalClaims behindAFullDisk = TransactionalClaims.on(
                failing(store.dataSource(), commits), Secrets.of("0123456789abcdef0123456789abcdef"));

        String paid = behindAFullDisk
                .inTransaction(PAY, KEY, (connection, run) -> {
                    Effects.add(connection, "paid");
                    return "paid";
                })
                .orElseThrow();

        assertThat(paid).isEqualTo("paid");
        assertThat(commits).hasValue(FAILURES + 1);
        assertThat(effects.counts()).isEqualTo(Map.of("paid", 1));
    }

    /** The real data source, whose first commits roll back and fail. */
    private static DataSource failing(DataSource real, AtomicInteger commits) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = invoked(() -> method.invoke(real, arguments));
                    return answer instanceof Connection connection ? failing(connection, commits) : answer;
                });
    }

    private static Connection failing(Connection real, AtomicInteger commits) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (isCommit(method.getName(), arguments) && commits.incrementAndGet() <= FAILURES) {
                        real.rollback();
                        throw new SQLException("database or disk is full", "53100", 13);
                    }
                    return invoked(() -> method.invoke(real, arguments));
                });
    }

    /** On PostgreSQL, the commit is part of the message with the settlement. */
    private static boolean isCommit(String method, Object[] arguments) {
        return method.equals("commit")
                || (method.equals("prepareStatement") && arguments[0].toString().endsWith(";COMMIT"));
    }

    private static Object invoked(Call call) throws Throwable {
        try {
            return call.make();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private interface Call {
        Object make() throws ReflectiveOperationException;
    }
}
