// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.testservers.DatabaseServer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The database is killed with SIGKILL and restarted while clients write events and calls, and retry as clients do. Every
 * acknowledged row is stored under the same id, and none is stored twice.
 */
class KilledDatabaseTest extends KilledServers {
    private final Map<String, UUID> events = new ConcurrentHashMap<>();
    private final Map<String, UUID> calls = new ConcurrentHashMap<>();

    @Override
    protected void killUnderLoad(DatabaseServer server, MigratedDatabase database) throws Exception {
        Journal records = database.journal(builder -> builder.maxWait(Duration.ofSeconds(3)));
        kill(server, () -> write(records), events, 300);

        events.forEach((key, id) -> assertThat(
                        event(get(records.ledger().ingest(entry(key)))).id())
                .as(key)
                .isEqualTo(id));
        calls.forEach((key, id) -> assertThat(get(records.calls().record(call("site-1", key))))
                .as(key)
                .isEqualTo(new CallOutcome.Noop(id, CallOutcome.Reason.IDEMPOTENT_CONFLICT)));
        assertThat(database.count("events"))
                .isEqualTo(database.count("ledger_ingestion_idempotency"))
                .isEqualTo(events.size());
        assertThat(database.count("calls")).isEqualTo(calls.size());
    }

    private void write(Journal records) {
        String key = "key-" + sharedNumber();
        Ingestion ingestion = get(records.ledger().ingest(entry(key)));
        while (ingestion instanceof Ingestion.Failed) {
            ingestion = get(records.ledger().ingest(entry(key)));
        }
        note(events, key, event(ingestion).id());
        CallOutcome recording = get(records.calls().record(call("site-1", key)));
        while (recording instanceof CallOutcome.Failed) {
            recording = get(records.calls().record(call("site-1", key)));
        }
        note(
                calls,
                key,
                recording instanceof CallOutcome.Inserted inserted
                        ? inserted.callId()
                        : ((CallOutcome.Noop) recording).callId());
    }
}
