// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.journal.InboxEntries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.KillsUnderLoad;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The database is killed with SIGKILL and restarted while providers deliver events and retry. Every acknowledged event is stored
 * under the same id, and none is stored twice.
 */
class KilledInboxTest {
    private static final int PROVIDERS = 8;
    private static final int KILLS = 2;
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final Map<String, UUID> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();

    @Test
    void nothingAcknowledgedIsLost_onPostgres() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                MigratedDatabase database = MigratedDatabase.on(server)) {
            killUnderLoad(server, database);
        }
    }

    @Test
    void nothingAcknowledgedIsLost_onMariaDb() throws Exception {
        try (MariaDbServer server = MariaDbServer.start();
                MigratedDatabase database = MigratedDatabase.on(server)) {
            killUnderLoad(server, database);
        }
    }

    private void killUnderLoad(DatabaseServer server, MigratedDatabase database) throws Exception {
        Inbox inbox = database.journal(
                        builder -> builder.inbox(Secrets.of(InboxEntries.OLD)).maxWait(Duration.ofSeconds(3)))
                .inbox();
        new KillsUnderLoad(server, KILLS).run(PROVIDERS, () -> deliver(inbox), acknowledged::size, 200);

        assertThat(violations).isEmpty();
        Set<UUID> there = new HashSet<>();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            there.clear();
            InboxEntries.all(inbox, InboxQuery.of("acme")).forEach(event -> there.add(event.id()));
            assertThat(there).isEqualTo(new HashSet<>(acknowledged.values()));
        });
        assertThat(database.count("webhook_inbox")).isEqualTo(acknowledged.size());
    }

    /** Two callers share each event, so duplicates are always in progress: plain ones, with an alias, with a payment. */
    private void deliver(Inbox inbox) {
        int number = next.getAndIncrement() / 2;
        String key = "ev_" + number;
        InboxEntry entry = switch (number % 3) {
            case 0 -> webhook(key);
            case 1 -> webhook(key, "tx_" + number);
            default -> paying(webhook(key), "pay_" + number);
        };
        InboxOutcome outcome = get(inbox.record(entry, WAIT));
        while (outcome instanceof InboxOutcome.Failed || outcome instanceof InboxOutcome.InProgress) {
            outcome = get(inbox.record(entry, WAIT));
        }
        if (outcome instanceof InboxOutcome.PaymentDuplicate) {
            violations.put(key, "its payment was taken by nobody");
            return;
        }
        UUID id = InboxEntries.stored(outcome);
        UUID earlier = acknowledged.putIfAbsent(key, id);
        if (earlier != null && !earlier.equals(id)) {
            violations.put(key, "got two different ids");
        }
    }
}
