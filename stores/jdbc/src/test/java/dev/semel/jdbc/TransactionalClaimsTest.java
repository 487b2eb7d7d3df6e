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
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Claim, effect and result in one transaction of the caller's, on every database. */
@ParameterizedClass
@EnumSource
class TransactionalClaimsTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());
    private static final ClaimKey KEY = PAY.key("acme", "order-17");

    private final Kind kind;

    @TempDir
    private Path folder;

    private TestDatabase database;
    private JdbcClaimStore store;
    private TransactionalClaims claims;
    private Effects effects;

    TransactionalClaimsTest(Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = kind.database(file);
        store = kind.store(database, file, 4);
        effects = Effects.in(database);
        claims = TransactionalClaims.on(store, SECRET);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private Connection begin() throws SQLException {
        Connection connection = store.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void end(Connection connection) throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
    }

    private Outcome<String> pay(Connection connection, String name) {
        return claims.execute(connection, PAY, KEY, run -> {
            Effects.add(connection, name);
            return name;
        });
    }

    @Test
    void claimEffectAndResultAreOneCommit() throws Exception {
        Connection connection = begin();
        try {
            assertThat(pay(connection, "first")).isEqualTo(new Outcome.Succeeded<>("first", false));
            assertThat(effects.counts()).as("before the commit").isEmpty();
            assertThat(effects.claims()).as("before the commit").isEmpty();
            connection.commit();
            assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
            assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 1));

            assertThat(pay(connection, "second")).isEqualTo(new Outcome.Succeeded<>("first", true));
            connection.commit();
        } finally {
            end(connection);
        }
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
    }

    @Test
    void withinOneTransactionTheSecondCallIsAReplay() throws Exception {
        Connection connection = begin();
        try {
            pay(connection, "first");
            assertThat(pay(connection, "second")).isEqualTo(new Outcome.Succeeded<>("first", true));
        } finally {
            end(connection);
        }
    }

    @Test
    void row39_whatIsRolledBackHasNotHappened_andTheNextCallerRuns() throws Exception {
        Connection connection = begin();
        try {
            pay(connection, "first");
            connection.rollback();
            assertThat(effects.claims()).isEmpty();

            assertThat(pay(connection, "second")).isEqualTo(new Outcome.Succeeded<>("second", false));
            connection.commit();
        } finally {
            end(connection);
        }
        assertThat(effects.counts()).isEqualTo(Map.of("second", 1));
    }

    @Test
    void row40_aKeyNestedInItselfIsAClearError_onTheSameConnection() throws Exception {
        Connection connection = begin();
        try {
            Outcome<String> outcome = claims.execute(
                    connection, PAY, KEY, run -> pay(connection, "inner").orThrow());

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Retryable.class,
                            failed -> assertThat(failed.cause())
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("nested in itself"));
        } finally {
            end(connection);
        }
    }

    @Test
    void row40_aKeyNestedInItselfIsAClearError_onAnotherConnection() {
        Operation<String> patient = PAY.waitingUpTo(Duration.ofHours(1));

        Outcome<String> outcome = claims.inTransaction(
                patient,
                KEY,
                (connection, run) -> claims.inTransaction(patient, KEY, (other, inner) -> "inner")
                        .orThrow());

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.cause()).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch_andNothingRuns() {
        Fingerprint one = Fingerprint.of("one");
        Fingerprint other = Fingerprint.of("other");
        AtomicInteger runs = new AtomicInteger();
        claims.inTransaction(PAY, KEY, one, (connection, run) -> "run " + runs.incrementAndGet());

        assertThat(claims.inTransaction(PAY, KEY, other, (connection, run) -> "run " + runs.incrementAndGet()))
                .isEqualTo(new Outcome.Mismatch<>());
        assertThat(runs).hasValue(1);
    }

    @Test
    void row13a_aDuplicateOfAnOpenTransactionIsToldAtOnce_andItsOwnTransactionGoesOn() throws Exception {
        assumeTrue(kind != Kind.SQLITE, "SQLite has one writer");
        Connection first = begin();
        Connection second = begin();
        try {
            pay(first, "first");
            Effects.add(second, "the second's own");

            assertThat(pay(second, "second")).isInstanceOf(Outcome.InProgress.class);
            second.commit();
            assertThat(effects.counts()).isEqualTo(Map.of("the second's own", 1));

            first.commit();
            assertThat(pay(second, "second")).isEqualTo(new Outcome.Succeeded<>("first", true));
        } finally {
            end(first);
            end(second);
        }
    }

    @Test
    void aDuplicateThatIsStillOpenHoldsUpNoOtherDuplicate() throws Exception {
        assumeTrue(kind != Kind.SQLITE, "SQLite has one writer");
        claims.inTransaction(PAY, KEY, (connection, run) -> "done");
        Connection first = begin();
        Connection second = begin();
        try {
            assertThat(pay(first, "first")).isEqualTo(new Outcome.Succeeded<>("done", true));
            assertThat(pay(second, "second")).isEqualTo(new Outcome.Succeeded<>("done", true));
        } finally {
            end(first);
            end(second);
        }
    }

    @Test
    void whatFailedRetryablyIsUndoneAlone_andTheNextCallerRunsIt() throws Exception {
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
        assertThat(claims.inTransaction(operation, KEY, (connection, run) -> "run after all"))
                .isEqualTo(new Outcome.Failed<>(stored, null, true));
        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void afterSoManyAttemptsItHasFailedForGood() {
        Operation<String> operation = PAY.withAttemptCap(2);
        for (int i = 1; i <= 2; i++) {
            claims.inTransaction(operation, KEY, (connection, run) -> {
                throw new SQLException("again");
            });
        }

        assertThat(claims.inTransaction(operation, KEY, (connection, run) -> "run after all"))
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
    void anExpiredResultCountsAsAbsent() {
        Operation<String> operation = PAY.withTtl(Duration.ofHours(1));
        claims.inTransaction(operation, KEY, (connection, run) -> "old");
        database.age(claims.refOf(operation, KEY), Duration.ofHours(2));

        assertThat(claims.inTransaction(operation, KEY, (connection, run) -> "new, attempt " + run.attempt()))
                .isEqualTo(new Outcome.Succeeded<>("new, attempt 1", false));
    }

    @Test
    void onlyOneOfTwoOpenTransactionsTakesOver() throws Exception {
        assumeTrue(kind != Kind.SQLITE, "SQLite has one writer");
        claims.inTransaction(PAY, KEY, (connection, run) -> {
            throw new SQLException("not today");
        });
        Connection first = begin();
        Connection second = begin();
        try {
            assertThat(pay(first, "first")).isEqualTo(new Outcome.Succeeded<>("first", false));
            assertThat(pay(second, "second")).isInstanceOf(Outcome.InProgress.class);
            second.commit();
            first.commit();
        } finally {
            end(first);
            end(second);
        }
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
    }

    @Test
    void withoutATransactionItSaysWhatToDo() throws Exception {
        try (Connection connection = store.dataSource().getConnection()) {
            assertThatThrownBy(() -> pay(connection, "first"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void workThatCommitsOnItsOwnIsFoundOut() throws Exception {
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
    void workThatRollsBackOnItsOwnIsFoundOut_andNothingIsKept() throws Exception {
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
    void workThatGoesOnAfterAFailedStatementIsToldSo_onPostgres() {
        assumeTrue(kind == Kind.POSTGRESQL, "only PostgreSQL aborts the transaction");
        assertThatThrownBy(() -> claims.inTransaction(PAY, KEY, (connection, run) -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SELECT 1 / 0");
                    } catch (SQLException swallowed) {
                        return "done all the same";
                    }
                    return "done";
                }))
                .isInstanceOf(TransactionAbortedException.class)
                .hasMessageContaining("savepoint");
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void underRepeatableReadAWinnerThatTheSnapshotCannotShowIsNotOverlooked() throws Exception {
        assumeTrue(kind != Kind.SQLITE, "SQLite has one writer");
        Connection connection = begin();
        int isolation = connection.getTransactionIsolation();
        try {
            connection.rollback();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT count(*) FROM idempotency_keys");
            }
            claims.inTransaction(PAY, KEY, (other, run) -> "the winner's");

            if (kind == Kind.POSTGRESQL) {
                assertThatThrownBy(() -> pay(connection, "second"))
                        .isInstanceOfSatisfying(
                                TransactionAbortedException.class,
                                aborted -> assertThat(aborted.retryable()).isTrue())
                        .hasMessageContaining("run the whole transaction again");
            } else {
                assertThat(pay(connection, "second")).isEqualTo(new Outcome.Succeeded<>("the winner's", true));
            }
            connection.rollback();
            assertThat(pay(connection, "second")).isEqualTo(new Outcome.Succeeded<>("the winner's", true));
            connection.rollback();
        } finally {
            connection.setTransactionIsolation(isolation);
            end(connection);
        }
        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void whatIsNotCommittedIsNeverReplayed_onMariaDb() throws Exception {
        assumeTrue(kind == Kind.MARIADB, "only MariaDB shows what is not committed");
        Connection connection = begin();
        try {
            connection.rollback();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
            assertThatThrownBy(() -> pay(connection, "first")).hasStackTraceContaining("READ UNCOMMITTED");
        } finally {
            connection.rollback();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            end(connection);
        }
    }

    @Test
    void aResultThatTheServerWouldNotTakeBecomesATombstone_onMariaDb() {
        assumeTrue(kind == Kind.MARIADB, "only MariaDB bounds a statement");
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

    @Test
    void aRunInATransactionIsAlwaysItsOwn() {
        Outcome<String> outcome = claims.inTransaction(PAY, KEY, (connection, run) -> {
            run.onLost(() -> {
                throw new IllegalStateException("never");
            });
            assertThat(run.stillMine()).isTrue();
            assertThat(run.stillMineAsync().toCompletableFuture()).isCompletedWithValue(true);
            assertThat(run.leaseLeft()).isPositive();
            assertThat(run.fence()).isPositive();
            return run.childKey("step");
        });
        assertThat(outcome.orThrow()).isNotEmpty();
    }
}
