// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.InboxEntries;
import dev.semel.journal.Journal;
import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.SilentNetwork;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row 10 of docs/failures.md: the connection is lost at a commit, so its outcome is unknown. */
class LostInboxCommitTest {
    /** PostgreSQL's driver sends COMMIT as text instead of the number of a prepared statement. */
    private static final String COMMIT_AS_TEXT = "prepareThreshold=0";

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, AFTER_COMMIT",
        "POSTGRESQL, BEFORE_COMMIT",
        "MARIADB, AFTER_COMMIT",
        "MARIADB, BEFORE_COMMIT"
    })
    void row10_theEventIsStoredOnce(DatabaseKind kind, SilentNetwork.At at) throws Exception {
        boolean postgres = kind == DatabaseKind.POSTGRESQL;
        DatabaseServer server = postgres ? PostgresServer.shared() : MariaDbServer.shared();
        try (MigratedDatabase database = MigratedDatabase.on(server);
                SilentNetwork network = new SilentNetwork(server, Pattern.compile("\\bCOMMIT\\b"))) {
            String through = database.through(network);
            String url = postgres ? through + (through.contains("?") ? "&" : "?") + COMMIT_AS_TEXT : through;
            try (Journal journal = Journal.on(database.pool(url))
                    .inbox(Secrets.of(InboxEntries.OLD))
                    .build()) {
                Inbox inbox = journal.inbox();
                recorded(withLostCommit(network, at, inbox, webhook("plain")));
                recorded(withLostCommit(network, at, inbox, paying(webhook("paid", "alias"), "payment")));
                assertThat(withLostCommit(network, at, inbox, paying(webhook("again"), "payment")))
                        .isEqualTo(new InboxOutcome.PaymentDuplicate());

                assertThat(network.silences()).isEqualTo(3);
                assertThat(database.count("webhook_inbox")).isEqualTo(2);
            }
        }
    }

    private static InboxOutcome withLostCommit(
            SilentNetwork network, SilentNetwork.At at, Inbox inbox, InboxEntry entry) throws InterruptedException {
        network.fallSilentAtCommit(1, at);
        CompletionStage<InboxOutcome> outcome = inbox.record(entry, WAIT);
        network.disconnectAfterLoss();
        return get(outcome);
    }
}
