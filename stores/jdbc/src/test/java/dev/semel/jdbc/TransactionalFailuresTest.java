// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.StoredResult;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Work that fails, and work that does something forbidden, in a transaction of the caller, on every database. */
@ParameterizedClass
@EachDatabase
class TransactionalFailuresTest extends TransactionalCase {
    TransactionalFailuresTest(DatabaseKind kind) {
        super(kind);
    }

    @Test
    void aRetryableFailureIsUndoneAlone_andTheNextCallerRuns() throws Exception {
        Connection connection = begin();
        try {
            Effects.add(connection, "the caller's own");
            Outcome<String> outcome = claims.execute(connection, PAY, KEY, run -> {
                Effects.add(connection, "half");
                throw new SQLException("the disk is full");
            });
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Retryable.class,
                            failed -> assertThat(failed.cause()).hasMessage("the disk is full"));
            connection.commit();
            assertThat(effects.counts()).isEqualTo(Map.of("the caller's own", 1));
            assertThat(effects.claims()).isEqualTo(Map.of("RETRYABLE", 1));

            assertThat(claims.execute(connection, PAY, KEY, run -> "attempt " + run.attempt()))
                    .isEqualTo(new Outcome.Succeeded<>("attempt 2", false));
            connection.commit();
        } finally {
            end(connection);
        }
    }

    @Test
    void aStatementThatTheDatabaseRefusedIsUndoneToo() throws Exception {
        Connection connection = begin();
        try {
            assertThat(pay(connection, "poison")).isInstanceOf(Outcome.Retryable.class);
            assertThat(pay(connection, "good")).isEqualTo(new Outcome.Succeeded<>("good", false));
            connection.commit();
        } finally {
            end(connection);
        }
        assertThat(effects.counts()).isEqualTo(Map.of("good", 1));
    }

    @Test
    void aFinalFailureIsStoredAndReplayed() {
        Operation<String> operation = PAY.classifyingFailures(failure -> FailureClass.FINAL);
        StoredResult stored = new StoredResult(
                Operation.FAILURE_TYPE, "java.lang.IllegalArgumentException".getBytes(StandardCharsets.UTF_8));
        IllegalArgumentException refused = new IllegalArgumentException("no such account");

        assertThat(claims.inTransaction(operation, KEY, (connection, run) -> {
                    Effects.add(connection, "half");
                    throw refused;
                }))
                .isEqualTo(new Outcome.Failed<>(stored, refused, false));
        assertThat(claims.inTransaction(operation, KEY, (connection, run) -> "run again"))
                .isEqualTo(new Outcome.Failed<>(stored, null, true));
        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void afterMaxAttemptsItHasFailedPermanently() {
        Operation<String> operation = PAY.withAttemptCap(2);
        for (int i = 1; i <= 2; i++) {
            claims.inTransaction(operation, KEY, (connection, run) -> {
                throw new SQLException("again");
            });
        }

        assertThat(claims.inTransaction(operation, KEY, (connection, run) -> "run again"))
                .isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void anErrorIsRethrown_andTheCallersTransactionGoesOn() throws Exception {
        Connection connection = begin();
        try {
            assertThatThrownBy(() -> claims.execute(connection, PAY, KEY, run -> {
                        Effects.add(connection, "half");
                        throw new AssertionError("a bug");
                    }))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("a bug");
            assertThat(pay(connection, "second")).isEqualTo(new Outcome.Succeeded<>("second", false));
            connection.commit();
        } finally {
            end(connection);
        }
        assertThat(effects.counts()).isEqualTo(Map.of("second", 1));
    }

    @Test
    void workThatCommitsIsDetected() throws Exception {
        Connection connection = begin();
        try {
            assertThatThrownBy(() -> claims.execute(connection, PAY, KEY, run -> {
                        connection.commit();
                        return "done";
                    }))
                    .isInstanceOf(TransactionAbortedException.class);
        } finally {
            end(connection);
        }
    }

    @Test
    void workThatSwitchesAutoCommitOnIsDetected() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> claims.inTransaction(PAY, KEY, (connection, run) -> {
                    runs.incrementAndGet();
                    connection.setAutoCommit(true);
                    return "done";
                }))
                .isInstanceOf(TransactionAbortedException.class)
                .hasMessageContaining("auto-commit");
        assertThat(runs).hasValue(1);

        Connection connection = begin();
        try {
            assertThatThrownBy(() -> claims.execute(connection, PAY, PAY.key("acme", "order-18"), run -> {
                        connection.setAutoCommit(true);
                        return "done";
                    }))
                    .isInstanceOf(TransactionAbortedException.class)
                    .hasMessageContaining("auto-commit");
        } finally {
            connection.close();
        }
    }

    /** Nothing is in doubt, because no commit was sent: it must not run again and again until the commit is found. */
    @Test
    void workThatClosesItsConnectionRunsOnce_andNothingIsStored() {
        AtomicInteger runs = new AtomicInteger();
        assertThat(claims.inTransaction(PAY, KEY, (connection, run) -> {
                    runs.incrementAndGet();
                    Effects.add(connection, "lost");
                    connection.close();
                    return "done";
                }))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).contains("must not close its connection"));
        assertThat(runs).hasValue(1);
        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void anExhaustedPoolIsNamed() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite needs no pool");
        DataSource pool = database.hastyPool(1);
        TransactionalClaims few = TransactionalClaims.on(pool, SECRETS);
        try (Connection taken = pool.getConnection()) {
            assertThat(few.inTransaction(PAY, KEY, (connection, run) -> "done"))
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("the pool is too small"));
        }
    }

    @Test
    void workThatRollsBackIsDetected_andNothingIsStored() throws Exception {
        assertThatThrownBy(() -> claims.inTransaction(PAY, KEY, (connection, run) -> {
                    connection.rollback();
                    Effects.add(connection, "late");
                    return "done";
                }))
                .isInstanceOf(TransactionAbortedException.class);
        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void workThatContinuesAfterAFailedStatementFails_onPostgres() {
        assumeTrue(kind == DatabaseKind.POSTGRESQL, "only PostgreSQL aborts the transaction");
        assertThatThrownBy(() -> claims.inTransaction(PAY, KEY, (connection, run) -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SELECT 1 / 0");
                    } catch (SQLException swallowed) {
                        return "done anyway";
                    }
                    return "done";
                }))
                .isInstanceOf(TransactionAbortedException.class)
                .hasMessageContaining("savepoint");
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void aResultThatIsTooLargeBecomesATombstone_onMariaDbAndMySql() {
        assumeTrue(kind.isMariaDbOrMySql(), "only MariaDB and MySQL limit the size of a statement");
        Operation<byte[]> operation = Operation.of("large", Codec.bytes());
        ClaimKey key = operation.key("acme", "large");

        assertThat(claims.inTransaction(operation, key, (connection, run) -> {
                    Effects.add(connection, "large");
                    return new byte[StoredResult.MAX_BYTES];
                }))
                .isInstanceOf(Outcome.Succeeded.class);
        assertThat(claims.inTransaction(operation, key, (connection, run) -> new byte[0]))
                .isInstanceOf(Outcome.Tombstone.class);
        assertThat(effects.counts()).isEqualTo(Map.of("large", 1));
    }
}
