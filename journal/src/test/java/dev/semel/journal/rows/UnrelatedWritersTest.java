// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.InboxEntries;
import dev.semel.journal.Journal;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxQuery;
import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.journal.page.Page;
import dev.semel.key.Secrets;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** PostgreSQL: an open transaction that does not write to the journal does not delay a page. */
class UnrelatedWritersTest {
    private static final String WRITE_ELSEWHERE = "CREATE TABLE somewhere_else (n integer)";

    @Test
    void anOpenWriterInAnotherDatabase() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared());
                MigratedDatabase another = MigratedDatabase.on(PostgresServer.shared());
                Connection connection = another.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(WRITE_ELSEWHERE);

            pagesShowWhatWasJustWritten(database);
        }
    }

    @Test
    void anOpenWriterOfAnotherTable() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared());
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(WRITE_ELSEWHERE);

            pagesShowWhatWasJustWritten(database);
        }
    }

    @Test
    void aForgottenPreparedTransaction() throws Exception {
        try (PostgresServer server = PostgresServer.start(Map.of("max_prepared_transactions", "5"));
                MigratedDatabase database = MigratedDatabase.on(server);
                MigratedDatabase another = MigratedDatabase.on(server)) {
            for (MigratedDatabase at : new MigratedDatabase[] {database, another}) {
                try (Connection connection = at.connect();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    statement.execute(WRITE_ELSEWHERE);
                    statement.execute("PREPARE TRANSACTION 'forgotten-%s'".formatted(UUID.randomUUID()));
                }
            }

            pagesShowWhatWasJustWritten(database);
            onlyAWriterOfTheJournalIsWaitedFor(database);
        }
    }

    private static void onlyAWriterOfTheJournalIsWaitedFor(MigratedDatabase database) throws Exception {
        Ledger ledger = database.journal().ledger();
        String cursor = get(ledger.page("acme", null, 10)).cursor();
        UUID late = UUID.randomUUID();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "INSERT INTO events (id, org_id, event_type) VALUES ('%s', 'acme', 'other')".formatted(late));
            statement.execute("PREPARE TRANSACTION 'with a record'");
        }
        UUID after = event(get(ledger.ingest(entry("after")))).id();
        Page<LedgerEvent> page = get(ledger.page("acme", cursor, 10));
        assertThat(page.items()).isEmpty();
        assertThat(page.unsettled()).isTrue();

        database.execute("COMMIT PREPARED 'with a record'");

        assertThat(get(ledger.page("acme", cursor, 10)).items())
                .extracting(LedgerEvent::id)
                .containsExactly(late, after);
    }

    /** Each page is requested once. It must have the rows that were committed before. */
    private static void pagesShowWhatWasJustWritten(MigratedDatabase database) {
        Journal journal = database.journal(builder -> builder.inbox(Secrets.of(InboxEntries.OLD)));
        UUID event = event(get(journal.ledger().ingest(entry("key")))).id();
        get(journal.calls().record(call("site", "signature")));
        UUID received = recorded(get(journal.inbox().record(webhook("ev_1"), WAIT)));

        assertThat(get(journal.ledger().page("acme", null, 10)).items())
                .extracting(LedgerEvent::id)
                .containsExactly(event);
        assertThat(get(journal.calls().page("site", null, 10)).items()).hasSize(1);
        assertThat(get(journal.inbox().page(InboxQuery.of("acme"), null, 10)).items())
                .extracting(InboxEvent::id)
                .containsExactly(received);
    }
}
