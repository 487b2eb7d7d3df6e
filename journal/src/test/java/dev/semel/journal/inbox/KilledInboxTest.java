// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.paying;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.journal.InboxEntries;
import dev.semel.journal.KilledServers;
import dev.semel.journal.MigratedDatabase;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The database is killed with SIGKILL and restarted while providers deliver events and retry. Every acknowledged event is stored
 * under the same id, and none is stored twice.
 */
class KilledInboxTest extends KilledServers {
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final Map<String, UUID> acknowledged = new ConcurrentHashMap<>();

    @Override
    protected void killUnderLoad(DatabaseServer server, MigratedDatabase database) throws Exception {
        Inbox inbox = database.journal(
                        builder -> builder.inbox(Secrets.of(InboxEntries.OLD)).maxWait(Duration.ofSeconds(3)))
                .inbox();
        kill(server, () -> deliver(inbox), acknowledged, 200);

        Set<UUID> there = new HashSet<>();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            there.clear();
            InboxEntries.all(inbox, InboxQuery.of("acme")).forEach(event -> there.add(event.id()));
            assertThat(there).isEqualTo(new HashSet<>(acknowledged.values()));
        });
        assertThat(database.count("webhook_inbox")).isEqualTo(acknowledged.size());
    }

    /** Duplicates of all kinds: plain ones, with an alias, with a payment. */
    private void deliver(Inbox inbox) {
        int number = sharedNumber();
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
            violation(key, "its payment was taken by nobody");
            return;
        }
        note(acknowledged, key, InboxEntries.stored(outcome));
    }
}
