// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.StoreException;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Deletes old rows of the journal, in batches, by the database's clock. Nothing is deleted unless it is called: for a cleanup
 * that runs in one process at a time. The ledger's events are never deleted.
 */
public final class JournalRetention {
    /** The maximum number of rows that one call deletes. */
    public static final int MAX_DELETED = 10_000;

    /** The rows that can be deleted. */
    public enum Rows {
        /** Inbox events; their age counts from the acknowledgement. Other events are kept. */
        INBOX_EVENTS("webhook_inbox", "id", "acked_at"),

        /** Call events. A repeat of a deleted call is a new call. */
        CALLS("calls", "id", "created_at"),

        /** The keys of ledger events. The events stay, but a repeat of a deleted key writes another event. */
        LEDGER_KEYS("ledger_ingestion_idempotency", "key_hash", "created_at");

        private final String table;
        private final String key;
        private final String time;

        Rows(String table, String key, String time) {
            this.table = table;
            this.key = key;
            this.time = time;
        }

        private NamedSql sql(String text) {
            return NamedSql.of(
                    text.replace("{table}", table).replace("{key}", key).replace("{time}", time));
        }
    }

    private final JournalDatabase database;
    private final Map<Rows, NamedSql> delete = new EnumMap<>(Rows.class);
    private final Map<Rows, NamedSql> due = new EnumMap<>(Rows.class);

    JournalRetention(JournalDatabase database) {
        this.database = database;
        JournalRetentionSql sql = JournalRetentionSql.of(database.kind());
        for (Rows rows : Rows.values()) {
            delete.put(rows, rows.sql(sql.delete()));
            due.put(rows, rows.sql(sql.due()));
        }
    }

    /**
     * Deletes rows of this age, at most {@code limit}, and returns their number. Fails only with a {@link StoreException}.
     *
     * @param limit 1 to {@value #MAX_DELETED}
     */
    public CompletionStage<Integer> delete(Rows rows, Duration age, int limit) {
        if (limit < 1 || limit > MAX_DELETED) {
            throw new IllegalArgumentException("limit must be 1 to %d, but is %d".formatted(MAX_DELETED, limit));
        }
        NamedSql sql = of(delete, rows);
        RowValues values = values(age, limit);
        return database.read(connection -> {
            try (PreparedStatement statement = sql.prepare(connection, values)) {
                return statement.executeUpdate();
            }
        });
    }

    /** How many rows have this age, counted up to a limit. Fails only with a {@link StoreException}. */
    public CompletionStage<Integer> due(Rows rows, Duration age, int limit) {
        NamedSql sql = of(due, rows);
        RowValues values = values(age, limit);
        return database.read(connection -> RowReader.list(connection, sql, values, found -> found.getInt(1))
                .get(0));
    }

    private static NamedSql of(Map<Rows, NamedSql> all, Rows rows) {
        return Objects.requireNonNull(all.get(rows), "Every kind of rows must have its statements");
    }

    private static RowValues values(Duration age, int limit) {
        if (age.isNegative() || age.toDays() > 36_500) {
            throw new IllegalArgumentException("age must be 0 to 36,500 days, but is " + age);
        }
        return RowValues.none().put("age", age.toMillis() * 1_000).put("limit", limit);
    }
}
