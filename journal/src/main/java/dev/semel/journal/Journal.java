// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.TransactionEvents;
import dev.semel.jdbc.Schema;
import dev.semel.journal.calls.CallEvents;
import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.ledger.Ledger;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.key.Secrets;
import dev.semel.replay.EpochGuardedCache;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The ledger, the call events and the webhook inbox of one database. PostgreSQL, MariaDB, MySQL and SQLite are recognized by
 * the connection.
 *
 * <p>No method blocks its caller. Stages complete on threads of the journal: do not block them.
 */
public final class Journal implements AutoCloseable {
    private final JournalDatabase database;
    private final Ledger ledger;
    private final CallEvents calls;
    private final @Nullable Inbox inbox;
    private final JournalRetention retention;
    private final JournalLookup lookup;

    Journal(JournalBuilder builder) {
        schema(builder.dataSource).check();
        database = new JournalDatabase(builder.dataSource, builder.threads, builder.statementTimeout, builder.maxWait);
        try {
            EpochGuardedCache cache = database.guarded(builder.cache, builder.epochs);
            JournalListeners listeners = new JournalListeners(builder.listeners);
            ledger = new Ledger(database, cache, builder.onMismatch, listeners::ingested);
            calls = new CallEvents(database, cache, builder.writeSignatureHash, listeners::called);
            Secrets secrets = builder.inboxSecrets;
            inbox = secrets == null
                    ? null
                    : new Inbox(
                            database,
                            secrets,
                            new TransactionEvents(builder.claimListeners),
                            builder.inboxRetention,
                            builder.purges);
            retention = new JournalRetention(database);
            lookup = new JournalLookup(database);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** The tables of the journal in this database. Use it to create, upgrade or check them. */
    public static Schema schema(DataSource dataSource) {
        return Schema.of(dataSource, JournalSchema.FILES);
    }

    /** Builds a journal in a database that has the tables; see {@link #schema}. */
    public static JournalBuilder on(DataSource dataSource) {
        return new JournalBuilder(dataSource);
    }

    public Ledger ledger() {
        return ledger;
    }

    public CallEvents calls() {
        return calls;
    }

    /**
     * The webhook inbox.
     *
     * @throws IllegalStateException if there is none, because no secrets were given
     */
    public Inbox inbox() {
        if (inbox == null) {
            throw new IllegalStateException(
                    "The webhook inbox needs secrets for encryption: build the journal with inbox(secrets)");
        }
        return inbox;
    }

    /** Deletes old rows, for a cleanup that runs in one process at a time. */
    public JournalRetention retention() {
        return retention;
    }

    /** Finds rows by what logs and answers show of their keys. */
    public JournalLookup lookup() {
        return lookup;
    }

    /**
     * Waits for running operations, up to some seconds. Every stage that was returned is complete when this method returns. The
     * data source is not closed.
     */
    @Override
    public void close() {
        database.close();
    }
}
