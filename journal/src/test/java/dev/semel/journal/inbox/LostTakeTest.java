// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.StoreException;
import dev.semel.journal.InboxEntries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.SilentNetwork;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A take that is committed although its consumer was told that it failed: nobody knows its token. */
class LostTakeTest {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final InboxTakeOrder ORDER =
            new InboxTakeOrder("acme", null, "worker", 10, InboxTakeOrder.MAX_LEASE, Page.MAX_BYTES);

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void theConnectionIsLostAfterTheCommit(DatabaseKind kind) throws Exception {
        theConnectionIsLost(kind, SilentNetwork.At.AFTER_COMMIT);
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void theConnectionIsLostBeforeTheCommit(DatabaseKind kind) throws Exception {
        theConnectionIsLost(kind, SilentNetwork.At.BEFORE_COMMIT);
    }

    private static void theConnectionIsLost(DatabaseKind kind, SilentNetwork.At at) throws Exception {
        try (InboxWithLostCommits lossy = new InboxWithLostCommits(kind)) {
            Inbox other = InboxEntries.inbox(lossy.database());
            UUID first = recorded(get(other.record(webhook("a"), WAIT)));
            UUID second = recorded(get(other.record(webhook("b"), WAIT)));

            CompletionStage<InboxTake> take =
                    lossy.losing(at, () -> lossy.inbox().take(ORDER));
            assertThatThrownBy(() -> get(take)).hasRootCauseInstanceOf(Exception.class);

            assertThat(lossy.losses()).isEqualTo(1);
            takenBy(other, first, second);
        }
    }

    @Test
    void theConsumerHasStoppedWaiting() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared())) {
            Inbox other = InboxEntries.inbox(database);
            UUID event = recorded(get(other.record(webhook("a"), WAIT)));
            Inbox impatient = database.journal(builder ->
                            builder.inbox(Secrets.of(InboxEntries.OLD)).maxWait(Duration.ofMillis(100)))
                    .inbox();
            try (Connection blocking = database.connect();
                    Statement statement = blocking.createStatement()) {
                blocking.setAutoCommit(false);
                statement.execute("LOCK TABLE webhook_inbox IN EXCLUSIVE MODE");

                CompletionStage<InboxTake> take = impatient.take(ORDER);
                assertThatThrownBy(() -> get(take)).hasRootCauseInstanceOf(StoreException.class);

                blocking.rollback();
            }
            await("the take is committed")
                    .atMost(LONGEST)
                    .until(() -> database.count("webhook_inbox WHERE take_token IS NOT NULL") == 1);

            takenBy(other, event);
        }
    }

    /** The events are given back one after the other, so one take may find only some of them. */
    private static void takenBy(Inbox other, UUID... events) {
        List<UUID> taken = new ArrayList<>();
        await().atMost(LONGEST).until(() -> {
            get(other.take(ORDER)).events().forEach(event -> taken.add(event.id()));
            return taken.size() >= events.length;
        });
        assertThat(taken).containsExactlyInAnyOrder(events);
    }
}
