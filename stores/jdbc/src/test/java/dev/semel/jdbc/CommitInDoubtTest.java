// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Outcome;
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
        TransactionalClaims behindAFullDisk =
                TransactionalClaims.on(failing(store.dataSource(), failCommits(commits)), SECRETS);

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

    /**
     * A commit without an answer, and then a disk that is full at the first statement. The torture found it on PostgreSQL with the
     * seed 111925798: the outcome was given up after 1.3 s.
     */
    @Test
    void theOutcomeIsAlsoLookedForWhileNoClaimCanBeWritten() throws SQLException {
        AtomicInteger commits = new AtomicInteger(FAILURES - 1);
        AtomicInteger inserts = new AtomicInteger();
        Fault firstCommit = failCommits(commits);
        TransactionalClaims behindAFullDisk = TransactionalClaims.on(
                failing(store.dataSource(), (connection, method, arguments) -> {
                    firstCommit.before(connection, method, arguments);
                    if (isInsert(method, arguments) && commits.get() == FAILURES && inserts.incrementAndGet() < 3) {
                        throw diskFull();
                    }
                }),
                SECRETS);

        assertThat(behindAFullDisk.inTransaction(PAY, KEY, (connection, run) -> {
                    Effects.add(connection, "paid");
                    return "paid";
                }))
                .isEqualTo(new Outcome.Succeeded<>("paid", false));
        assertThat(inserts).hasValueGreaterThanOrEqualTo(3);
        assertThat(effects.counts()).isEqualTo(Map.of("paid", 1));
    }

    /** The first commits roll back and fail. */
    private static Fault failCommits(AtomicInteger commits) {
        return (connection, method, arguments) -> {
            if (isCommit(method, arguments) && commits.incrementAndGet() <= FAILURES) {
                connection.rollback();
                throw diskFull();
            }
        };
    }

    private static SQLException diskFull() {
        return new SQLException("database or disk is full", "53100", 13);
    }

    /** The real data source, with this fault before each call of a connection. */
    private static DataSource failing(DataSource real, Fault fault) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = invoked(() -> method.invoke(real, arguments));
                    return answer instanceof Connection connection ? failing(connection, fault) : answer;
                });
    }

    private static Connection failing(Connection real, Fault fault) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    fault.before(real, method.getName(), arguments);
                    return invoked(() -> method.invoke(real, arguments));
                });
    }

    private interface Fault {
        void before(Connection connection, String method, Object[] arguments) throws SQLException;
    }

    private static boolean isInsert(String method, Object[] arguments) {
        return method.equals("prepareStatement") && arguments[0].toString().contains("INSERT INTO idempotency_keys");
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
