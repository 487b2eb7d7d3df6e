// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.journal.inbox.InboxOutcome;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.SilentNetwork;
import dev.semel.testservers.VanishingSockets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * A host vanishes before its commit without closing its connections, so its transaction stays open on the server. The
 * server ends it soon, and neither other writers nor pages wait for it.
 */
@ParameterizedClass
@EachDatabase(except = DatabaseKind.SQLITE)
class VanishedHostTest {
    /** Much longer than Semel's limits, much shorter than the servers' defaults, which are hours. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final DatabaseKind kind;
    private MigratedDatabase database;
    private SilentNetwork network;
    private Journal vanishing;
    private Journal other;

    VanishedHostTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws Exception {
        DatabaseServer server = kind.sharedServer();
        database = MigratedDatabase.on(server);
        network = new SilentNetwork(server, Pattern.compile("\\bCOMMIT\\b"));
        String through = database.through(network);
        String bounded = through
                + (through.contains("?") ? "&" : "?")
                + (kind == DatabaseKind.POSTGRESQL ? "socketTimeout=1&prepareThreshold=0" : "socketTimeout=1000")
                + "&socketFactory=" + VanishingSockets.class.getName();
        vanishing = Journal.on(database.pool(bounded))
                .inbox(Secrets.of(InboxEntries.OLD))
                .statementTimeout(Duration.ofSeconds(1))
                .maxWait(Duration.ofSeconds(2))
                .build();
        other = database.journal(builder -> builder.inbox(Secrets.of(InboxEntries.OLD)));
    }

    @AfterEach
    void close() throws Exception {
        network.close();
        vanishing.close();
        database.close();
    }

    private void awaitWritten(String key) {
        await().atMost(MAX_WAIT).until(() -> get(other.ledger().ingest(entry(key))) instanceof Ingestion.Written);
    }

    /** The vanished host may return and write it first. */
    private static boolean isStored(InboxOutcome outcome) {
        return outcome instanceof InboxOutcome.Recorded || outcome instanceof InboxOutcome.Duplicate;
    }

    @Test
    void theLedgerTakesEveryKeyAgain() {
        if (kind == DatabaseKind.POSTGRESQL) {
            // A batch and its commit are one message there: it arrives, or it does not.
            return;
        }
        network.fallSilentAtCommit(1, SilentNetwork.At.BEFORE_COMMIT);
        vanishing.ledger().ingest(entry("lost"));
        await().atMost(MAX_WAIT).until(network::isSilent);

        awaitWritten("other");
        assertThat(event(get(other.ledger().ingest(entry("lost")))).orgId()).isEqualTo("acme");
    }

    @Test
    void theInboxTakesTheEventAgainAndPagesGoOn() {
        network.fallSilentAtCommit(1, SilentNetwork.At.BEFORE_COMMIT);
        vanishing.inbox().record(webhook("k", "alias"), WAIT);
        await().atMost(MAX_WAIT).until(network::isSilent);

        awaitWritten("other");
        await().atMost(MAX_WAIT)
                .untilAsserted(() -> assertThat(
                                get(other.ledger().page("acme", null, 10)).items())
                        .hasSize(1));
        await().atMost(MAX_WAIT).until(() -> isStored(get(other.inbox().record(webhook("k", "alias"), WAIT))));
    }
}
