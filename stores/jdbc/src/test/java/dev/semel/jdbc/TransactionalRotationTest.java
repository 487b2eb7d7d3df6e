// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Claims in a transaction during the rotation of their secret. Processes with one or both secrets share all claims. */
@ParameterizedClass
@EachDatabase
class TransactionalRotationTest extends TransactionalCase {
    /** Several keys, so that the old digest is smaller than the new one for some of them and larger for others. */
    private static final List<ClaimKey> KEYS =
            List.of(PAY.key("acme", "1"), PAY.key("acme", "2"), PAY.key("acme", "3"), PAY.key("acme", "4"));

    private List<TransactionalClaims> steps;

    TransactionalRotationTest(DatabaseKind kind) {
        super(kind);
    }

    @BeforeEach
    void openSteps() {
        steps = RotationSteps.steps(store);
    }

    private Outcome<String> pay(int step, ClaimKey key, String name) {
        return steps.get(step).inTransaction(PAY, key, (connection, run) -> {
            Effects.add(connection, name);
            return name;
        });
    }

    private Outcome<String> pay(int step, Connection connection, ClaimKey key, String name) {
        return steps.get(step).execute(connection, PAY, key, run -> {
            Effects.add(connection, name);
            return name;
        });
    }

    @Test
    void resultsOfTheOldSecretAreReplayedAtEveryStep() {
        pay(RotationSteps.BEFORE, KEY, "first");
        for (int step = RotationSteps.ADDED; step <= RotationSteps.RETIRED; step++) {
            assertThat(pay(step, KEY, "again")).isEqualTo(new Outcome.Succeeded<>("first", true));
        }
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
    }

    @Test
    void resultsOfAStepAreFoundByItsNeighbours() {
        for (int step = RotationSteps.ADDED; step <= RotationSteps.PROMOTED; step++) {
            ClaimKey key = KEYS.get(step);
            pay(step, key, "step " + step);
            for (int other = step - 1; other <= step + 1; other++) {
                assertThat(pay(other, key, "again")).isEqualTo(new Outcome.Succeeded<>("step " + step, true));
            }
        }
        assertThat(effects.counts()).isEqualTo(Map.of("step 1", 1, "step 2", 1));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch_alsoByAnotherSecret() {
        steps.get(RotationSteps.BEFORE).inTransaction(PAY, KEY, Fingerprint.of("one"), (connection, run) -> {
            Effects.add(connection, "one");
            return "one";
        });

        for (int step = RotationSteps.ADDED; step <= RotationSteps.RETIRED; step++) {
            assertThat(steps.get(step).inTransaction(PAY, KEY, Fingerprint.of("other"), (connection, run) -> {
                        Effects.add(connection, "other");
                        return "other";
                    }))
                    .isEqualTo(new Outcome.Mismatch<>(Fingerprint.of("one")));
        }
        assertThat(effects.counts()).isEqualTo(Map.of("one", 1));
    }

    @Test
    void anOpenTransactionExcludesItsNeighbours_andTheirsContinue() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        Connection first = begin();
        Connection second = begin();
        try {
            for (int step = RotationSteps.BEFORE; step <= RotationSteps.RETIRED; step++) {
                for (int other = Math.max(0, step - 1); other <= Math.min(step + 1, RotationSteps.RETIRED); other++) {
                    for (ClaimKey key : KEYS) {
                        assertThat(pay(step, first, key, "first")).isEqualTo(new Outcome.Succeeded<>("first", false));
                        assertThat(pay(other, second, key, "second"))
                                .as("step %d at the same time as step %d", other, step)
                                .isInstanceOf(Outcome.InProgress.class);
                        Effects.add(second, "the second's own");
                        second.commit();
                        first.rollback();
                    }
                }
            }
        } finally {
            end(first);
            end(second);
        }
        assertThat(effects.counts()).containsOnlyKeys("the second's own");
        assertThat(effects.claims()).isEmpty();
    }

    @Test
    void aCallerThatReceivesInProgressHoldsNoLock() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        Connection first = begin();
        Connection second = begin();
        Connection third = begin();
        try {
            for (ClaimKey key : KEYS) {
                pay(RotationSteps.BEFORE, first, key, "first");
                assertThat(pay(RotationSteps.ADDED, second, key, "second")).isInstanceOf(Outcome.InProgress.class);
                first.rollback();

                assertThat(pay(RotationSteps.PROMOTED, third, key, "third"))
                        .isEqualTo(new Outcome.Succeeded<>("third", false));
                third.rollback();
                second.rollback();
            }
        } finally {
            end(first);
            end(second);
            end(third);
        }
    }

    @Test
    void aRollbackLeavesNoPointer() throws Exception {
        Connection connection = begin();
        try {
            pay(RotationSteps.PROMOTED, connection, KEY, "first");
            assertThat(pay(RotationSteps.PROMOTED, connection, KEY, "again"))
                    .as("within the same transaction")
                    .isEqualTo(new Outcome.Succeeded<>("first", true));
            connection.rollback();
        } finally {
            end(connection);
        }
        assertThat(effects.claims()).isEmpty();
        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void aRetryableFailureOfOneSecretIsTakenOverByTheOther() {
        TransactionalClaims promoted = steps.get(RotationSteps.PROMOTED);
        steps.get(RotationSteps.BEFORE).inTransaction(PAY, KEY, (connection, run) -> {
            throw new SQLException("not today");
        });

        Outcome<String> nested = promoted.inTransaction(
                PAY,
                KEY,
                (connection, run) ->
                        promoted.execute(connection, PAY, KEY, inner -> "inner").orElseThrow());
        assertThat(nested)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        failed -> assertThat(failed.cause()).hasMessageContaining("nested in itself"));
        assertThat(promoted.inTransaction(PAY, KEY, (connection, run) -> "attempt " + run.attempt()))
                .isEqualTo(new Outcome.Succeeded<>("attempt 3", false));
        assertThat(pay(RotationSteps.RETIRED, KEY, "again")).isEqualTo(new Outcome.Succeeded<>("attempt 3", true));
    }

    @Test
    void theNewSecretAloneTakesOverAClaimOfTheOldOne() {
        steps.get(RotationSteps.ADDED).inTransaction(PAY, KEY, (connection, run) -> {
            throw new SQLException("not today");
        });

        assertThat(steps.get(RotationSteps.RETIRED)
                        .inTransaction(PAY, KEY, (connection, run) -> "attempt " + run.attempt()))
                .isEqualTo(new Outcome.Succeeded<>("attempt 2", false));
        assertThat(store.find(steps.get(RotationSteps.BEFORE).refOf(PAY, KEY)))
                .hasValueSatisfying(found -> assertThat(found.attempt()).isEqualTo(2));
    }

    @Test
    void aClaimThatExpiredUnderOneSecretIsAbsentUnderTheOther() {
        Operation<String> shortly = PAY.withTtl(Duration.ofHours(1));
        TransactionalClaims retired = steps.get(RotationSteps.RETIRED);
        steps.get(RotationSteps.ADDED).inTransaction(shortly, KEY, (connection, run) -> "old");
        database.age(steps.get(RotationSteps.BEFORE).refOf(shortly, KEY), Duration.ofHours(2));

        assertThat(steps.get(RotationSteps.PROMOTED).inTransaction(shortly, KEY, (connection, run) -> "new"))
                .isEqualTo(new Outcome.Succeeded<>("new", false));
        database.age(retired.refOf(shortly, KEY), Duration.ofHours(2));
        assertThat(steps.get(RotationSteps.ADDED).inTransaction(shortly, KEY, (connection, run) -> "newer"))
                .isEqualTo(new Outcome.Succeeded<>("newer", false));
        database.age(steps.get(RotationSteps.BEFORE).refOf(shortly, KEY), Duration.ofHours(2));
        assertThat(retired.inTransaction(shortly, KEY, (connection, run) -> "newest, attempt " + run.attempt()))
                .as("by a pointer to an expired record")
                .isEqualTo(new Outcome.Succeeded<>("newest, attempt 1", false));
    }

    @Test
    void theOldSecretCanBeRemovedOnceAllKeysWereAskedFor() throws Exception {
        pay(RotationSteps.BEFORE, KEYS.get(0), "0");
        pay(RotationSteps.BEFORE, KEYS.get(1), "1");
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isEqualTo(2);

        pay(RotationSteps.ADDED, KEYS.get(0), "again");
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id()))
                .as("one was asked for")
                .isEqualTo(1);
        Connection connection = begin();
        try {
            pay(RotationSteps.PROMOTED, connection, KEYS.get(1), "again");
            connection.commit();
        } finally {
            end(connection);
        }
        pay(RotationSteps.ADDED, KEYS.get(2), "2");
        pay(RotationSteps.PROMOTED, KEYS.get(3), "3");
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isZero();
        for (int i = 0; i < KEYS.size(); i++) {
            assertThat(pay(RotationSteps.RETIRED, KEYS.get(i), "again"))
                    .isEqualTo(new Outcome.Succeeded<>("" + i, true));
        }
    }

    @Test
    void anOpenDuplicateDelaysNoOtherDuplicate() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        pay(RotationSteps.BEFORE, KEY, "done");
        Connection first = begin();
        Connection second = begin();
        try {
            assertThat(pay(RotationSteps.ADDED, first, KEY, "first")).isEqualTo(new Outcome.Succeeded<>("done", true));
            assertThat(pay(RotationSteps.PROMOTED, second, KEY, "second"))
                    .isEqualTo(new Outcome.Succeeded<>("done", true));
            second.commit();
            first.commit();
        } finally {
            end(first);
            end(second);
        }
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isZero();
    }

    /** This only happens if a step is skipped. */
    @Test
    void twoRecordsOfOneKeyAreMarked_andNothingRuns() {
        pay(RotationSteps.BEFORE, KEY, "by the old one");
        pay(RotationSteps.RETIRED, KEY, "by the new one");

        Outcome<String> outcome = pay(RotationSteps.PROMOTED, KEY, "again");

        assertThat(outcome.orElseThrow()).isIn("by the old one", "by the new one");
        assertThat(pay(RotationSteps.ADDED, KEY, "again")).isEqualTo(outcome);
        assertThat(effects.counts()).isEqualTo(Map.of("by the old one", 1, "by the new one", 1));
        assertThat(store.find(steps.get(RotationSteps.BEFORE).refOf(PAY, KEY))
                        .orElseThrow()
                        .conflictsWith())
                .isEqualTo(steps.get(RotationSteps.RETIRED).refOf(PAY, KEY));
    }

    @Test
    void underRepeatableReadACommitAfterTheSnapshotIsDetected() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        assumeTrue(kind != DatabaseKind.MYSQL, "refused: see MySqlTransactionsTest");
        Connection connection = begin();
        int isolation = connection.getTransactionIsolation();
        connection.rollback();
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try {
            for (int winner = RotationSteps.BEFORE; winner <= RotationSteps.RETIRED; winner++) {
                ClaimKey key = KEYS.get(winner);
                int step = winner < RotationSteps.PROMOTED ? RotationSteps.ADDED : RotationSteps.PROMOTED;
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SELECT count(*) FROM idempotency_keys");
                }
                pay(winner, key, "the winner's");
                if (kind == DatabaseKind.POSTGRESQL) {
                    assertThatThrownBy(() -> pay(step, connection, key, "second"))
                            .isInstanceOfSatisfying(
                                    TransactionAbortedException.class,
                                    aborted -> assertThat(aborted.retryable()).isTrue());
                } else {
                    assertThat(pay(step, connection, key, "second"))
                            .isEqualTo(new Outcome.Succeeded<>("the winner's", true));
                }
                connection.rollback();
                assertThat(pay(step, connection, key, "second"))
                        .isEqualTo(new Outcome.Succeeded<>("the winner's", true));
                connection.rollback();
            }
        } finally {
            connection.setTransactionIsolation(isolation);
            end(connection);
        }
        assertThat(effects.counts()).isEqualTo(Map.of("the winner's", 4));
    }

    @Test
    void uncommittedResultsAreNeverReplayed_onMariaDb() throws Exception {
        assumeTrue(kind.isMariaDbOrMySql(), "only MariaDB and MySQL show uncommitted rows");
        pay(RotationSteps.BEFORE, KEY, "first");
        Connection connection = begin();
        int isolation = connection.getTransactionIsolation();
        connection.rollback();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        try {
            assertThatThrownBy(() -> pay(RotationSteps.ADDED, connection, KEY, "second"))
                    .hasStackTraceContaining("READ UNCOMMITTED");
        } finally {
            connection.rollback();
            connection.setTransactionIsolation(isolation);
            end(connection);
        }
    }
}
