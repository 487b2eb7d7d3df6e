// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.rows.Position;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.PostgresServer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A database that lost its latest commits assigns their positions again, so a consumer's cursor may be ahead of the next events.
 * The statements that repair this are those of docs/databases.md.
 */
class CursorAfterFailoverTest {
    private static final int LOST = 500;

    @Test
    void onPostgres_newEventsAreAfterEveryCursorOnceTheNumbersAreRaised() throws Exception {
        newEventIsSeenAfter(
                PostgresServer.shared(),
                "SELECT setval('semel_write_numbers', nextval('semel_write_numbers') + 1000000000)");
    }

    @ParameterizedTest
    @EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
    void onMariaDbAndMySql_newEventsAreAfterEveryCursorOnceThePositionsAreRaised(DatabaseKind kind) throws Exception {
        newEventIsSeenAfter(
                kind.sharedServer(), "UPDATE semel_positions SET last_position = last_position + 1000000000");
    }

    private static void newEventIsSeenAfter(DatabaseServer server, String remedy) throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(server)) {
            Ledger ledger = database.journal().ledger();
            get(ledger.ingest(entry("before")));
            Position last = Position.ofCursor(get(ledger.page("acme", null, 10)).cursor());
            String ahead = server instanceof PostgresServer
                    ? new Position(last.write() + LOST, last.number()).cursor()
                    : new Position(last.write(), last.number() + LOST).cursor();
            get(ledger.ingest(entry("passed")));
            assertThat(get(ledger.page("acme", ahead, 10)).items()).isEmpty();

            database.execute(remedy);

            UUID seen = event(get(ledger.ingest(entry("seen")))).id();
            assertThat(get(ledger.page("acme", ahead, 10)).items())
                    .extracting(LedgerEvent::id)
                    .containsExactly(seen);
            assertThat(get(ledger.page("acme", null, 10)).items()).hasSize(3);
        }
    }
}
