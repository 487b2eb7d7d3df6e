// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.all;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.journal.InboxEntries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Another instance is slow to commit. A cursor must not skip its event. */
class LateInboxCommitTest {
    private static final String COLUMNS =
            "id, tenant, provider, key_hash, key_prefix, content_type, verified, payload_hash, body";

    /** PostgreSQL: the inbox continues to write, and pages stop before events that may still appear. */
    @Test
    void onPostgres_pagesWaitForIt() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared())) {
            Inbox inbox = InboxEntries.inbox(database);
            UUID before = recorded(get(inbox.record(webhook("before"), WAIT)));
            UUID late = UUID.randomUUID();
            UUID after;
            String cursor;
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("""
                        INSERT INTO webhook_inbox (%s) VALUES ('%s', 'acme', 'paypal', decode(repeat('00', 32), 'hex'),
                            'ev_', 'text/plain', true, decode(repeat('00', 32), 'hex'), '')
                        """.formatted(COLUMNS, late));
                after = recorded(get(inbox.record(webhook("after"), WAIT)));
                Page<InboxEvent> page = get(inbox.page(InboxQuery.of("acme"), null, 10));
                assertThat(page.items()).extracting(InboxEvent::id).containsExactly(before);
                assertThat(page.unsettled()).as("another event exists").isTrue();
                assertThat(get(inbox.find("acme", after))).isPresent();
                cursor = page.cursor();
                connection.commit();
            }
            List<UUID> rest = new ArrayList<>();
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                rest.clear();
                get(inbox.page(InboxQuery.of("acme"), cursor, 10)).items().forEach(event -> rest.add(event.id()));
                return rest.size() == 2;
            });
            assertThat(rest).containsExactly(late, after);
        }
    }

    /** MariaDB and MySQL: the inbox waits for the writer, so positions become visible in their order. */
    @ParameterizedTest
    @EachDatabase(except = {DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE})
    void onMariaDbAndMySql_theInboxWaitsForIt(DatabaseKind kind) throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(kind.sharedServer())) {
            Inbox inbox = InboxEntries.inbox(database);
            UUID late = UUID.randomUUID();
            CompletableFuture<InboxOutcome> after;
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(
                        "UPDATE semel_positions SET last_position = last_position + 1 WHERE name = 'webhook_inbox'");
                statement.execute("""
                        INSERT INTO webhook_inbox (position, received_at, %s) VALUES (1, UTC_TIMESTAMP(6), '%s', 'acme',
                            'paypal', REPEAT('0', 32), 'ev_', 'text/plain', true, REPEAT('0', 32), '')
                        """.formatted(COLUMNS, late));
                after = inbox.record(webhook("after"), WAIT).toCompletableFuture();
                await().during(Duration.ofMillis(500)).until(() -> !after.isDone());
                assertThat(get(inbox.page(InboxQuery.of("acme"), null, 10)).items())
                        .isEmpty();
                connection.commit();
            }
            UUID id = recorded(get(after));
            assertThat(all(inbox, InboxQuery.of("acme")))
                    .extracting(InboxEvent::id)
                    .containsExactly(late, id);
        }
    }

    /** A dump is restored into another cluster. Transactions have small numbers there, but their events must still be later. */
    @Test
    void onPostgres_aRestoredInboxContinues() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared())) {
            Inbox before = InboxEntries.inbox(database);
            UUID restored = recorded(get(before.record(webhook("restored"), WAIT)));
            database.execute("UPDATE semel_writes SET cluster = 'another'");
            database.execute("UPDATE webhook_inbox SET write = 1000000000000");

            Inbox inbox = InboxEntries.inbox(database);
            UUID fresh = recorded(get(inbox.record(webhook("fresh"), WAIT)));

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(all(inbox, InboxQuery.of("acme")))
                            .extracting(InboxEvent::id)
                            .containsExactly(restored, fresh));
        }
    }
}
