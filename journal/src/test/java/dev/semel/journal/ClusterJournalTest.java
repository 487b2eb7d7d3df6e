// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxQuery;
import dev.semel.journal.page.Page;
import dev.semel.key.Secrets;
import dev.semel.testservers.MySqlCluster;
import dev.semel.testservers.MySqlCluster.Mode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Journals on the only primary of a MySQL group, or each on a primary of its own, are given the same keys at the same time. */
@Tag("cluster")
class ClusterJournalTest {
    private static final int KEYS = 100;

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyKeyIsStoredOnceAndPagesSkipNothing(Mode mode) throws Exception {
        MySqlCluster cluster = MySqlCluster.shared(mode);
        List<Integer> nodes = cluster.writable();
        int first = nodes.get(0);
        try (MigratedDatabase database = MigratedDatabase.on(cluster.node(first))) {
            cluster.awaitApplied(first);
            List<Journal> journals = new ArrayList<>();
            for (int i = 0; i < MySqlCluster.NODES; i++) {
                int port = cluster.port(nodes.get(i % nodes.size()));
                String url = database.url().replace(":" + cluster.port(first) + "/", ":" + port + "/");
                journals.add(database.closing(Journal.on(database.pool(url))
                        .inbox(Secrets.of(InboxEntries.OLD))
                        .build()));
            }

            Map<String, UUID> events = onceEach(
                    journals,
                    (journal, key) -> journal.ledger()
                            .ingest(entry(key))
                            .thenApply(answer -> event(answer).id()),
                    "event");
            Map<String, UUID> calls = onceEach(
                    journals,
                    (journal, key) -> journal.calls().record(call("site", key)).thenApply(ClusterJournalTest::idOf),
                    "call");
            Map<String, UUID> webhooks = onceEach(
                    journals,
                    (journal, key) -> journal.inbox()
                            .record(webhook(key), InboxEntries.WAIT)
                            .thenApply(InboxEntries::stored),
                    "webhook");

            assertThat(database.count("events")).isEqualTo(events.size());
            assertThat(database.count("calls")).isEqualTo(calls.size());
            assertThat(database.count("webhook_inbox")).isEqualTo(webhooks.size());
            for (Journal journal : journals) {
                assertThat(read(cursor -> get(journal.ledger().page("acme", cursor, 7)), e -> e.id()))
                        .containsExactlyInAnyOrderElementsOf(events.values());
                assertThat(read(cursor -> get(journal.inbox().page(InboxQuery.of("acme"), cursor, 7)), InboxEvent::id))
                        .containsExactlyInAnyOrderElementsOf(webhooks.values());
            }
        }
    }

    private static UUID idOf(CallOutcome outcome) {
        return outcome instanceof CallOutcome.Inserted inserted
                ? inserted.callId()
                : ((CallOutcome.Noop) outcome).callId();
    }

    /** Gives all keys to all journals at the same time. All answers for a key have the same id. */
    private static Map<String, UUID> onceEach(
            List<Journal> journals, BiFunction<Journal, String, CompletionStage<UUID>> write, String name) {
        Map<String, Set<UUID>> ids = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> running = new ArrayList<>();
        for (int number = 0; number < KEYS; number++) {
            String key = name + "-" + number;
            for (Journal journal : journals) {
                running.add(write.apply(journal, key)
                        .thenAccept(id -> ids.computeIfAbsent(key, any -> ConcurrentHashMap.newKeySet())
                                .add(id))
                        .toCompletableFuture());
            }
        }
        running.forEach(Entries::get);
        Map<String, UUID> only = new ConcurrentHashMap<>();
        ids.forEach((key, all) -> {
            assertThat(all).as(key).hasSize(1);
            only.put(key, all.iterator().next());
        });
        assertThat(only).hasSize(KEYS);
        return only;
    }

    /** Reads to the end, page by page. No id is there twice. */
    private static <T> Set<UUID> read(Function<String, Page<T>> pages, Function<T, UUID> id) {
        Set<UUID> ids = new HashSet<>();
        String cursor = null;
        while (true) {
            Page<T> page = pages.apply(cursor);
            if (page.items().isEmpty()) {
                return ids;
            }
            page.items().forEach(item -> assertThat(ids.add(id.apply(item))).isTrue());
            cursor = page.cursor();
        }
    }
}
