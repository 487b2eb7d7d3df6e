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
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row 10 of docs/failures.md: the connection stops answering at a commit, so its outcome is unknown. */
class LostInboxCommitTest {
    /** A silence that ends, and a driver that sends COMMIT as text instead of the number of a prepared statement. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, AFTER_COMMIT, socketTimeout=1&prepareThreshold=0",
        "POSTGRESQL, BEFORE_COMMIT, socketTimeout=1&prepareThreshold=0",
        "MARIADB, AFTER_COMMIT, socketTimeout=1000",
        "MARIADB, BEFORE_COMMIT, socketTimeout=1000"
    })
    void row10_theEventIsStoredOnce(DatabaseKind kind, SilentNetwork.At at, String bound) throws Exception {
        DatabaseServer server = kind == DatabaseKind.POSTGRESQL ? PostgresServer.shared() : MariaDbServer.shared();
        try (MigratedDatabase database = MigratedDatabase.on(server);
                SilentNetwork network = new SilentNetwork(server, Pattern.compile("\\bCOMMIT\\b"))) {
            String through = database.through(network);
            String bounded = through + (through.contains("?") ? "&" : "?") + bound;
            try (Journal journal = Journal.on(database.pool(bounded))
                    .inbox(Secrets.of(InboxEntries.OLD))
                    .build()) {
                Inbox inbox = journal.inbox();
                network.fallSilentAtCommit(1, at);
                recorded(get(inbox.record(webhook("plain"), WAIT)));
                network.fallSilentAtCommit(1, at);
                recorded(get(inbox.record(paying(webhook("paid", "alias"), "payment"), WAIT)));
                network.fallSilentAtCommit(1, at);
                assertThat(get(inbox.record(paying(webhook("again"), "payment"), WAIT)))
                        .isEqualTo(new InboxOutcome.PaymentDuplicate());

                assertThat(network.silences()).isEqualTo(3);
                assertThat(database.count("webhook_inbox")).isEqualTo(2);
            }
        }
    }
}
