// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.Entries.written;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.journal.JournalRetention.Rows;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase
class JournalRetentionTest {
    private static final Duration DAY = Duration.ofDays(1);

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private Journal journal;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        journal = database.journal(
                builder -> builder.inbox(Secrets.of(InboxEntries.OLD)).withoutPurge());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private int delete(Rows rows, Duration age, int limit) {
        return get(journal.retention().delete(rows, age, limit));
    }

    private int due(Rows rows, Duration age) {
        return get(journal.retention().due(rows, age, 100));
    }

    /** Moves the rows of a table two days into the past. */
    private void age(String table, String column) {
        String sql = switch (kind) {
            case POSTGRESQL -> "UPDATE %1$s SET %2$s = %2$s - interval '2 days'";
            case MARIADB, MYSQL -> "UPDATE %1$s SET %2$s = %2$s - INTERVAL 2 DAY";
            case SQLITE -> "UPDATE %1$s SET %2$s = %2$s - 172800000000";
        };
        database.execute(sql.formatted(table, column));
    }

    @Test
    void oldCallsAreDeletedInBatches() {
        for (int i = 0; i < 5; i++) {
            get(journal.calls().record(call("site-1", "signature-" + i)));
        }
        assertThat(due(Rows.CALLS, DAY)).isZero();
        assertThat(delete(Rows.CALLS, DAY, 10)).isZero();
        age("calls", "created_at");
        get(journal.calls().record(call("site-1", "new")));

        assertThat(due(Rows.CALLS, DAY)).isEqualTo(5);
        assertThat(delete(Rows.CALLS, DAY, 3)).isEqualTo(3);
        assertThat(delete(Rows.CALLS, DAY, 3)).isEqualTo(2);
        assertThat(delete(Rows.CALLS, DAY, 3)).as("repeated").isZero();
        assertThat(database.count("calls")).isEqualTo(1);
    }

    @Test
    void aDeletedLedgerKeyCanBeUsedAgainAndItsEventStays() {
        UUID first = written(get(journal.ledger().ingest(entry("k")))).id();
        age("ledger_ingestion_idempotency", "created_at");

        assertThat(due(Rows.LEDGER_KEYS, DAY)).isEqualTo(1);
        assertThat(delete(Rows.LEDGER_KEYS, DAY, 10)).isEqualTo(1);

        assertThat(written(get(journal.ledger().ingest(entry("k")))).id()).isNotEqualTo(first);
        assertThat(database.count("events")).isEqualTo(2);
        assertThat(delete(Rows.LEDGER_KEYS, DAY, 10)).isZero();
    }

    @Test
    void onlyAcknowledgedInboxEventsAreDeleted() {
        UUID acknowledged = recorded(get(journal.inbox().record(webhook("ev_1"), WAIT)));
        recorded(get(journal.inbox().record(webhook("ev_2"), WAIT)));
        get(journal.inbox().ack("acme", acknowledged, "tester"));
        age("webhook_inbox", "received_at");
        assertThat(due(Rows.INBOX_EVENTS, DAY)).isZero();
        age("webhook_inbox", "acked_at");

        assertThat(due(Rows.INBOX_EVENTS, DAY)).isEqualTo(1);
        assertThat(delete(Rows.INBOX_EVENTS, DAY, 10)).isEqualTo(1);

        assertThat(get(journal.inbox().find("acme", acknowledged))).isEmpty();
        assertThat(database.count("webhook_inbox")).isEqualTo(1);
    }

    @Test
    void anAgeOfZeroAndTheLimitsAreChecked() {
        get(journal.calls().record(call("site-1", "signature")));

        assertThat(delete(Rows.CALLS, Duration.ZERO, 1)).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> delete(Rows.CALLS, DAY, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> delete(Rows.CALLS, Duration.ofDays(-1), 1));
    }
}
