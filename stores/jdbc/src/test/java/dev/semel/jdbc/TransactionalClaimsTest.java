// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.Fingerprint;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Claim, effect and result in one transaction of the caller, on every database. */
@ParameterizedClass
@EachDatabase
class TransactionalClaimsTest extends TransactionalCase {
    TransactionalClaimsTest(DatabaseKind kind) {
        super(kind);
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
                    connection, PAY, KEY, run -> pay(connection, "inner").orElseThrow());

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
        Operation<String> waiting = PAY.waitingUpTo(Duration.ofHours(1));

        Outcome<String> outcome = claims.inTransaction(
                waiting,
                KEY,
                (connection, run) -> claims.inTransaction(waiting, KEY, (other, inner) -> "inner")
                        .orElseThrow());

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
                .isEqualTo(new Outcome.Mismatch<>(one));
        assertThat(runs).hasValue(1);
    }

    @Test
    void row13a_aDuplicateOfAnOpenTransactionIsInProgressAtOnce_andItsOwnTransactionContinues() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
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
    void anOpenDuplicateDelaysNoOtherDuplicate() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
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
    void anExpiredResultCountsAsAbsent() {
        Operation<String> operation = PAY.withTtl(Duration.ofHours(1));
        claims.inTransaction(operation, KEY, (connection, run) -> "old");
        database.age(claims.refOf(operation, KEY), Duration.ofHours(2));

        assertThat(claims.inTransaction(operation, KEY, (connection, run) -> "new, attempt " + run.attempt()))
                .isEqualTo(new Outcome.Succeeded<>("new, attempt 1", false));
    }

    @Test
    void onlyOneOfTwoOpenTransactionsTakesOver() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
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
    void withoutATransactionTheMessageContainsTheFix() throws Exception {
        try (Connection connection = store.dataSource().getConnection()) {
            assertThatThrownBy(() -> pay(connection, "first"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void underRepeatableReadACommitAfterTheSnapshotIsDetected() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        assumeTrue(kind != DatabaseKind.MYSQL, "refused: see MySqlTransactionsTest");
        Connection connection = begin();
        int isolation = connection.getTransactionIsolation();
        try {
            connection.rollback();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT count(*) FROM idempotency_keys");
            }
            claims.inTransaction(PAY, KEY, (other, run) -> "the winner's");

            if (kind == DatabaseKind.POSTGRESQL) {
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
    void uncommittedResultsAreNeverReplayed_onMariaDbAndMySql() throws Exception {
        assumeTrue(kind.isMariaDbOrMySql(), "only MariaDB and MySQL show uncommitted rows");
        Connection connection = begin();
        int isolation = connection.getTransactionIsolation();
        try {
            connection.rollback();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
            assertThatThrownBy(() -> pay(connection, "first")).hasStackTraceContaining("READ UNCOMMITTED");
        } finally {
            connection.rollback();
            connection.setTransactionIsolation(isolation);
            end(connection);
        }
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
        assertThat(outcome.orElseThrow()).isNotEmpty();
    }
}
