// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.OLD;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.Ownership;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.journal.InboxEntries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A payment that arrives as a webhook and through the engine is one claim, in either order. */
@ParameterizedClass
@EachDatabase
class OnePaymentTest {
    private static final String PAYMENT = "paypal:7";
    private static final ClaimKey KEY = new ClaimKey("acme", "payment_confirmation", PAYMENT);
    private static final Duration BRIEFLY = Duration.ofMillis(100);

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private Inbox inbox;
    private Semel semel;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        inbox = InboxEntries.inbox(database);
        semel = Semel.on(JdbcClaimStore.on(database.dataSource()))
                .secrets(Secrets.of(OLD))
                .withoutReplayCache()
                .build();
    }

    @AfterEach
    void close() throws Exception {
        semel.close();
        database.close();
    }

    @Test
    void aWebhookInTheInboxIsADuplicateForTheEngine() throws Exception {
        recorded(get(inbox.record(paying(webhook("ev_1"), PAYMENT), WAIT)));

        assertThat(claim(KEY))
                .isInstanceOfSatisfying(
                        ClaimOutcome.Succeeded.class,
                        done -> assertThat(done.result().isTombstone()).isTrue());
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void aSettledConfirmationIsADuplicateForTheInbox() throws Exception {
        settle(granted(), Status.SUCCEEDED);

        assertThat(get(inbox.record(paying(webhook("ev_1"), PAYMENT), WAIT)))
                .isEqualTo(new InboxOutcome.PaymentDuplicate());
        assertThat(database.count("webhook_inbox")).isZero();
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void whileAConfirmationRunsTheWebhookIsInProgressAndLaterDecided() throws Exception {
        Claim claim = granted();
        assertThat(get(inbox.record(paying(webhook("ev_1"), PAYMENT), BRIEFLY)))
                .isInstanceOf(InboxOutcome.InProgress.class);
        assertThat(database.count("webhook_inbox")).isZero();

        settle(claim, Status.SUCCEEDED);

        assertThat(get(inbox.record(paying(webhook("ev_1"), PAYMENT), WAIT)))
                .isEqualTo(new InboxOutcome.PaymentDuplicate());
    }

    @Test
    void aConfirmationThatFailedRetryablyLeavesThePaymentToTheWebhook() throws Exception {
        settle(granted(), Status.RETRYABLE);

        recorded(get(inbox.record(paying(webhook("ev_1"), PAYMENT), WAIT)));

        assertThat(claim(KEY)).isInstanceOf(ClaimOutcome.Succeeded.class);
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void anOwnerThatDisappearedLeavesThePaymentToTheWebhookAndSettlesNothing() throws Exception {
        Claim claim = granted();
        get(semel.renew(claim.ref(), claim.token(), Duration.ZERO));

        recorded(get(inbox.record(paying(webhook("ev_1"), PAYMENT), WAIT)));

        assertThat(get(semel.settle(claim, Status.SUCCEEDED, null, null))).isInstanceOf(Ownership.Lost.class);
    }

    /** Pairs of a webhook and a confirmation of the same payment, all at the same time: one of each pair wins. */
    @Test
    void ofConcurrentPairsOneWins() throws Exception {
        int pairs = 60;
        List<CompletionStage<InboxOutcome>> events = new ArrayList<>();
        List<CompletionStage<ClaimOutcome>> claims = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            InboxEntry entry = paying(webhook("ev_" + i), "pair:" + i);
            ClaimKey key = new ClaimKey("acme", "payment_confirmation", "pair:" + i);
            if (i % 2 == 0) {
                events.add(inbox.record(entry, Duration.ZERO));
            }
            claims.add(semel.claim(key, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO));
            if (i % 2 == 1) {
                events.add(inbox.record(entry, Duration.ZERO));
            }
        }
        int stored = 0;
        for (int i = 0; i < pairs; i++) {
            InboxOutcome event = get(events.get(i));
            boolean granted = get(claims.get(i)) instanceof ClaimOutcome.Granted;
            boolean recorded = event instanceof InboxOutcome.Recorded;
            assertThat(granted && recorded).as("pair %d ran twice", i).isFalse();
            assertThat(granted || recorded || event instanceof InboxOutcome.InProgress)
                    .as("pair %d: %s", i, event)
                    .isTrue();
            stored += recorded ? 1 : 0;
        }
        assertThat(database.count("webhook_inbox")).isEqualTo(stored);
        assertThat(payments()).isLessThanOrEqualTo(pairs);
    }

    /** Another process has inserted the payment's claim and not committed it yet. */
    @Test
    void anInsertThatIsNotCommittedIsNotWaitedFor() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        granted();
        database.execute("CREATE TABLE copied AS SELECT * FROM idempotency_keys");
        database.execute("DELETE FROM idempotency_keys");
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO idempotency_keys SELECT * FROM copied");

            assertThat(get(inbox.record(paying(webhook("ev_1"), PAYMENT), BRIEFLY)))
                    .isInstanceOf(InboxOutcome.InProgress.class);
            recorded(get(inbox.record(paying(webhook("ev_2"), "another"), WAIT)));

            other.rollback();
        }
        recorded(get(inbox.record(paying(webhook("ev_1"), PAYMENT), WAIT)));
    }

    /** Another process is taking over the payment's claim and has not committed yet. */
    @Test
    void aTakeOverThatIsNotCommittedIsNotWaitedFor() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        settle(granted(), Status.RETRYABLE);
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE idempotency_keys SET reason = 'taken'");

            assertThat(get(inbox.record(paying(webhook("ev_1"), PAYMENT), BRIEFLY)))
                    .isInstanceOf(InboxOutcome.InProgress.class);

            other.rollback();
        }
        recorded(get(inbox.record(paying(webhook("ev_1"), PAYMENT), WAIT)));
    }

    private ClaimOutcome claim(ClaimKey key) {
        return get(semel.claim(key, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO));
    }

    private Claim granted() {
        return ((ClaimOutcome.Granted) claim(KEY)).claim();
    }

    private void settle(Claim claim, Status status) {
        assertThat(get(semel.settle(claim, status, null, null))).isInstanceOf(Ownership.Confirmed.class);
    }

    private long payments() throws SQLException {
        return Long.parseLong(
                database.single("SELECT count(*) FROM idempotency_keys WHERE scope = 'payment_confirmation'"));
    }
}
