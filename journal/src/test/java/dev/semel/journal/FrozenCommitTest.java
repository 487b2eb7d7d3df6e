// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.SilentNetwork;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row 10 of docs/failures.md: the connection becomes silent at a commit, and its outcome is unknown. */
@ParameterizedClass
@EachDatabase(except = DatabaseKind.SQLITE)
class FrozenCommitTest {
    private final DatabaseKind kind;

    FrozenCommitTest(DatabaseKind kind) {
        this.kind = kind;
    }

    /** On PostgreSQL the statement that writes commits by itself; on MariaDB and MySQL the driver sends COMMIT. */
    private static final Pattern COMMIT = Pattern.compile("INSERT INTO (events|calls) AS e|\\bCOMMIT\\b");

    @ParameterizedTest
    @EnumSource
    void row10_theSameRowsAgainWithTheSameIds(SilentNetwork.At at) throws Exception {
        DatabaseServer server = kind.sharedServer();
        try (MigratedDatabase database = MigratedDatabase.on(server);
                SilentNetwork network = new SilentNetwork(server, COMMIT)) {
            String through = database.through(network);
            try (Journal records = Journal.on(database.pool(through))
                    .statementTimeout(Duration.ofMillis(400))
                    .maxWait(Duration.ofSeconds(30))
                    .build()) {
                network.fallSilentAtCommit(1, at);
                Ingestion event = get(records.ledger().ingest(entry("k")));
                assertThat(network.isSilent()).as("the network fell silent").isTrue();
                network.fallSilentAtCommit(1, at);
                CallOutcome signed = get(records.calls().record(call("site-1", "signature")));
                network.fallSilentAtCommit(1, at);
                CallOutcome unsigned = get(records.calls().record(call("site-1", null)));

                assertThat(event).isInstanceOf(Ingestion.Written.class);
                assertThat(signed).isInstanceOf(CallOutcome.Inserted.class);
                assertThat(unsigned).isInstanceOf(CallOutcome.Inserted.class);
                assertThat(network.silences()).isEqualTo(3);
                assertThat(database.count("events")).isEqualTo(1);
                assertThat(database.count("calls")).isEqualTo(2);
                assertThat(event(get(database.journal().ledger().ingest(entry("k"))))
                                .id())
                        .isEqualTo(event(event).id());
            }
        }
    }
}
