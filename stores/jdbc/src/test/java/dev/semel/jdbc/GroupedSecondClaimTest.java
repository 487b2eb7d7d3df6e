// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Ownership;
import dev.semel.ProbeAnswer;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** A row of a group whose second claim was made by the engine, in every state. */
@ParameterizedClass
@EachDatabase
@Timeout(120)
class GroupedSecondClaimTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> EVENT = Operation.of("event", Codec.text());
    private static final Operation<String> PAYMENT = Operation.of("payment", Codec.text());
    private static final ClaimKey KEY = PAYMENT.key("acme", "p");

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private Effects effects;
    private Semel engine;
    private TransactionalClaims claims;
    private final List<String> settings = new CopyOnWriteArrayList<>();
    private GroupedClaims<String, String> group;

    GroupedSecondClaimTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        JdbcClaimStore store = database.store(4);
        engine =
                database.closing(Semel.on(store).secrets(SECRETS).withoutSweep().build());
        claims = TransactionalClaims.on(store, SECRETS);
        effects = Effects.in(database);
        group = database.closing(GroupedClaims.on(claims, EVENT, (connection, rows) -> {
            settings.add(boundsOf(connection));
            Effects.addAll(connection, rows);
        }));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** How long the transaction waits for locks, and how long it may be idle. */
    private String boundsOf(Connection connection) throws SQLException {
        String sql = switch (kind) {
            case POSTGRESQL ->
                "SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')";
            case MARIADB, MYSQL -> "SELECT @@SESSION.innodb_lock_wait_timeout, @@SESSION.wait_timeout";
            case SQLITE -> "SELECT 1, 1";
        };
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1) + ", " + row.getString(2);
        }
    }

    private Outcome<String> submitted(Operation<String> event, Operation<String> payment, String row) {
        return group.submit(
                        new GroupedClaims.Request<>(
                                event,
                                AliasedKey.of(event.key("acme", "ev-" + row)),
                                Fingerprint.NONE,
                                row,
                                new GroupedClaims.Second<>(payment, KEY, "not " + row)),
                        row)
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private Claim claimed(Operation<String> operation) {
        ClaimOutcome outcome = engine.claim(KEY, Fingerprint.NONE, operation.terms(), Duration.ZERO)
                .toCompletableFuture()
                .join();
        return ((ClaimOutcome.Granted) outcome).claim();
    }

    private Claim claimedAndLapsed(Operation<String> operation) {
        Claim claim = claimed(operation);
        database.age(claim.ref(), Duration.ofHours(2));
        return claim;
    }

    private static Operation<String> reconciled() {
        return PAYMENT.reconcileWhenStale(run -> ProbeAnswer.unknown("unknown"));
    }

    @Test
    void whileTheSecondMustBeReconciled_noAttemptOfTheRowIsCounted() {
        Claim lapsed = claimedAndLapsed(reconciled());
        Operation<String> capped = EVENT.withAttemptCap(2);
        for (int i = 0; i < 4; i++) {
            assertThat(submitted(capped, PAYMENT, "a")).as("try %d", i).isInstanceOf(Outcome.InProgress.class);
        }
        engine.settle(lapsed, Status.RETRYABLE, null, "an operator confirmed that it was not done")
                .toCompletableFuture()
                .join();

        assertThat(submitted(capped, PAYMENT, "a")).isEqualTo(new Outcome.Succeeded<>("a", false));
        assertThat(effects.counts()).isEqualTo(Map.of("a", 1));
    }

    @Test
    void whileTheSecondMustBeReconciled_theRowHasNotFailed() {
        Claim lapsed = claimedAndLapsed(reconciled());
        Operation<String> strict = EVENT.classifyingFailures(failure -> FailureClass.FINAL);

        assertThat(submitted(strict, PAYMENT, "a")).isInstanceOf(Outcome.InProgress.class);
        engine.settle(lapsed, Status.RETRYABLE, null, "an operator confirmed that it was not done")
                .toCompletableFuture()
                .join();

        assertThat(submitted(strict, PAYMENT, "a")).isEqualTo(new Outcome.Succeeded<>("a", false));
    }

    @Test
    void whenTheSecondIsTakenOver_theTransactionIsBoundedAsThatOfAGroup() {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has no such limits");
        submittedWithoutSecond("control");
        Claim claim = claimed(PAYMENT);
        engine.settle(claim, Status.RETRYABLE, null, "not yet")
                .toCompletableFuture()
                .join();

        assertThat(submitted(EVENT, PAYMENT, "a")).isEqualTo(new Outcome.Succeeded<>("a", false));
        assertThat(settings).as("of the group, and of the single row").hasSize(2);
        assertThat(settings.get(1)).isEqualTo(settings.get(0));
    }

    private void submittedWithoutSecond(String row) {
        group.submit(EVENT.key("acme", row), row, row).toCompletableFuture().join();
    }

    @Test
    void theEffectKeepsTheGroupsBounds_withASecond() {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has no such limits");
        submittedWithoutSecond("control");
        assertThat(submitted(EVENT, PAYMENT, "a")).isEqualTo(new Outcome.Succeeded<>("a", false));
        assertThat(settings.get(1)).isEqualTo(settings.get(0));
    }

    @Test
    void aFailureThatTheSecondCallsUnknownIsNotHidden() {
        Operation<String> doubtful = PAYMENT.classifyingFailures(failure -> FailureClass.UNKNOWN);

        Outcome<String> outcome = submitted(EVENT, doubtful, "poison");

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(((Outcome.Retryable<String>) outcome).cause()).isInstanceOf(SQLException.class);
    }

    @Test
    void everyStateOfTheSecond() {
        Claim running = claimed(PAYMENT);
        assertThat(submitted(EVENT, PAYMENT, "a")).as("running").isInstanceOf(Outcome.InProgress.class);
        engine.giveBack(running).toCompletableFuture().join();
        assertThat(submitted(EVENT, PAYMENT, "a")).as("released").isEqualTo(new Outcome.Succeeded<>("a", false));
        assertThat(engine.execute(PAYMENT, KEY, run -> "again"))
                .as("the engine finds it")
                .isEqualTo(new Outcome.Succeeded<>("a", true));
        assertThat(effects.counts()).isEqualTo(Map.of("a", 1));
    }

    @Test
    void anExpiredSecondIsTakenOver_andItsOwnerIsRefused() {
        Claim lapsed = claimedAndLapsed(PAYMENT);
        assertThat(submitted(EVENT, PAYMENT, "a")).isEqualTo(new Outcome.Succeeded<>("a", false));
        assertThat(engine.settle(lapsed, Status.SUCCEEDED, null, null)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Ownership.Lost.class);
        assertThat(engine.giveBack(lapsed).toCompletableFuture().join()).isInstanceOf(Ownership.Lost.class);
        assertThat(submitted(EVENT, PAYMENT, "b")).isEqualTo(new Outcome.Succeeded<>("not b", false));
    }

    @Test
    void theSecondIsAnAliasOfAnEngineClaim() {
        assertThat(engine.execute(
                        PAYMENT, PAYMENT.key("acme", "other").alsoKnownAs("p"), Fingerprint.of("x"), run -> "engine"))
                .isEqualTo(new Outcome.Succeeded<>("engine", false));
        assertThat(submitted(EVENT, PAYMENT, "a")).isEqualTo(new Outcome.Succeeded<>("not a", false));
        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void theSecondIsAnAliasOfARetryableEngineClaim() {
        ClaimOutcome outcome = engine.claim(
                        PAYMENT.key("acme", "other").alsoKnownAs("p"),
                        Fingerprint.of("x"),
                        PAYMENT.terms(),
                        Duration.ZERO)
                .toCompletableFuture()
                .join();
        Claim claim = ((ClaimOutcome.Granted) outcome).claim();
        assertThat(submitted(EVENT, PAYMENT, "a")).isInstanceOf(Outcome.InProgress.class);
        engine.giveBack(claim).toCompletableFuture().join();
        assertThat(submitted(EVENT, PAYMENT, "a")).isEqualTo(new Outcome.Succeeded<>("a", false));
        assertThat(engine.execute(PAYMENT, PAYMENT.key("acme", "other"), run -> "engine"))
                .isEqualTo(new Outcome.Succeeded<>("a", true));
        assertThat(effects.counts()).isEqualTo(Map.of("a", 1));
    }
}
