// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.Connections;
import dev.semel.lane.Halving;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimPage;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.CommandRounds;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Claims by conditional insert and conditional update in PostgreSQL, MariaDB, MySQL or SQLite. The connection's
 * metadata decides which dialect is used.
 *
 * <p>A batch is one transaction: inserts sorted by digest, then compare-and-set updates sorted by digest. Commands that
 * changed no row are answered by a separate read: inside the transaction or, on PostgreSQL, after its commit. Settling
 * before inserting, or unsorted digests, would cause deadlocks. MariaDB commits inserts and settlements separately.
 */
public final class JdbcClaimStore
        implements ClaimStore, ClaimBrowser, HistoryStore, JobLeases, CacheEpoch, AutoCloseable {
    /** Time limit of a statement. A statement that exceeds it is cancelled and, if that is safe, sent again. */
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(2);

    /** Time limit of a query that reads all claims. */
    private static final Duration LONGEST_COUNT = Duration.ofMinutes(10);

    /** A sweep changes many rows. In a group of MySQL, each may conflict with a claim on another member. */
    private static final int SWEEP_TRIES = 12;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final Duration statementTimeout;
    private final Connections connections;
    private final AliasPointers pointers;
    private final AliasedInserts aliasedInserts;
    private final JdbcClaimBrowser browser;
    private final JdbcHistory history;
    private final JdbcJobs jobs;
    private final EpochTable epoch;
    private final int largestResult;
    private final AutoCloseable resource;

    private JdbcClaimStore(
            DataSource dataSource,
            Dialect dialect,
            Duration statementTimeout,
            int largestResult,
            AutoCloseable resource) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.statementTimeout = statementTimeout;
        this.connections = new Connections(dataSource, dialect.hasNetwork(), statementTimeout);
        this.pointers = new AliasPointers(dialect);
        this.aliasedInserts = new AliasedInserts(dialect, statementTimeout);
        this.browser = new JdbcClaimBrowser(
                connections, new Connections(dataSource, dialect.hasNetwork(), LONGEST_COUNT), dialect, Query.MAX_SCAN);
        this.history = new JdbcHistory(connections, dialect, statementTimeout);
        this.jobs = new JdbcJobs(connections, dialect);
        this.epoch = new EpochTable(connections, dialect, statementTimeout);
        this.largestResult = largestResult;
        this.resource = resource;
    }

    /**
     * Returns a store on a database that already has the schema.
     *
     * @throws SchemaException if the schema is missing or incomplete; the message contains the missing statements
     */
    public static JdbcClaimStore on(DataSource dataSource) {
        return on(dataSource, dataSource);
    }

    /**
     * As {@link #on(DataSource)}, but the schema is checked on another data source of the same database. The first one opens
     * no connection until the first claim, which makes the start of an application faster.
     */
    public static JdbcClaimStore on(DataSource dataSource, DataSource forChecks) {
        Schema schema = Schema.of(forChecks);
        schema.check();
        return new JdbcClaimStore(
                dataSource, schema.dialect(), STATEMENT_TIMEOUT, largest(forChecks, schema), () -> {});
    }

    private static int largest(DataSource dataSource, Schema schema) {
        Dialect dialect = schema.dialect();
        return new Connections(dataSource, dialect.hasNetwork(), STATEMENT_TIMEOUT).run(connection -> {
            dialect.requireConsistentReads(connection);
            return dialect.largestResult(connection);
        });
    }

    /** Returns a store on a database, after creating or updating its schema. */
    public static JdbcClaimStore migrating(DataSource dataSource) {
        Schema.of(dataSource).migrate();
        return on(dataSource);
    }

    /**
     * Returns a store in an SQLite file, which is created if it does not exist. Requires the SQLite driver on the class
     * path.
     */
    public static JdbcClaimStore sqlite(Path file) {
        SqliteFile opened = SqliteFile.open(file);
        try {
            Schema schema = Schema.of(opened);
            schema.migrate();
            schema.check();
            return new JdbcClaimStore(opened, schema.dialect(), STATEMENT_TIMEOUT, largest(opened, schema), opened);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Returns this store with another statement timeout. The default is 2 s. A statement waits for a lock for half of
     * it; a connection that is silent for one second longer is closed. Keep it well below the engine's store timeout.
     */
    public JdbcClaimStore withStatementTimeout(Duration bound) {
        if (bound.toMillis() < 100 || bound.toMinutes() > 60) {
            throw new IllegalArgumentException(
                    "The statement timeout must be between 100 ms and 1 hour, but is " + bound);
        }
        return new JdbcClaimStore(dataSource, dialect, bound, largestResult, resource);
    }

    DataSource dataSource() {
        return dataSource;
    }

    Dialect dialect() {
        return dialect;
    }

    @Override
    public List<Verdict> apply(List<? extends Command> commands) {
        Verdict[] verdicts = new Verdict[commands.size()];
        int largest = ClaimStore.largestResult(commands.size());
        for (List<Integer> round : CommandRounds.of(commands)) {
            List<Integer> together = new ArrayList<>(round.size());
            List<Command> batch = new ArrayList<>(round.size());
            for (int index : round) {
                if (commands.get(index) instanceof Command.Insert insert
                        && !insert.aliases().isEmpty()) {
                    verdicts[index] = applyAlone(insert, largest);
                } else {
                    together.add(index);
                    batch.add(commands.get(index));
                }
            }
            List<Verdict> answers = batch.isEmpty() ? List.of() : applyRound(batch, largest);
            for (int i = 0; i < together.size(); i++) {
                verdicts[together.get(i)] = answers.get(i);
            }
        }
        return Arrays.asList(verdicts);
    }

    private Verdict applyAlone(Command.Insert insert, int largest) {
        try {
            return connections.run(connection -> aliasedInserts.apply(connection, insert, largest));
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.UNREACHABLE) {
                throw e;
            }
            return new Verdict.Errored(e);
        }
    }

    /** A batch that fails because of its data or because of locks is split in halves, so that bad commands fail alone. */
    private List<Verdict> applyRound(List<Command> batch, int largest) {
        return Halving.answers(batch, part -> {
            boolean whole = part.size() == batch.size();
            return attempt(part, whole ? LockWait.ofBatch(part) : LockWait.ofPart(part), largest);
        });
    }

    /** Empty if the part has to be split. */
    private Optional<List<Verdict>> attempt(List<Command> part, LockWait wait, int largest) {
        if (part.size() > 1 && contentBytes(part) > largestResult) {
            return Optional.empty();
        }
        try {
            requireBounded(part);
            return Optional.of(connections.run(wait.tries(), connection -> {
                CommandBatch batch = new CommandBatch(part, wait.lockWait(statementTimeout), largest);
                dialect.apply(connection, batch, statementTimeout);
                decide(connection, batch);
                return pointers.resolved(connection, batch.verdicts(), largest);
            }));
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.UNREACHABLE) {
                throw e;
            }
            return part.size() == 1 ? Optional.of(List.of(new Verdict.Errored(e))) : Optional.empty();
        }
    }

    /** Reads large results one at a time, to compare them with repeated settlements. This is rare. */
    private void decide(Connection connection, CommandBatch batch) throws SQLException {
        for (ClaimRef ref : batch.undecided()) {
            Map<ClaimRef, Snapshot> found = new HashMap<>();
            dialect.read(connection, List.of(ref), StoredResult.MAX_BYTES, found);
            batch.decide(ref, found.get(ref));
        }
    }

    /**
     * How long a batch waits for locks, and how often it is tried. All commands of a batch are answered together, so
     * one locked row must not delay the others: the batch is split early, and its parts hardly wait. The last command
     * is retried for a fraction of a second and then reported as busy.
     */
    private enum LockWait {
        ALONE(3, 0),
        TOGETHER(2, 20),
        PART(1, 100),
        LAST_PART(7, 100);

        private final int tries;
        private final int share;

        LockWait(int tries, int share) {
            this.tries = tries;
            this.share = share;
        }

        static LockWait ofBatch(List<Command> batch) {
            return batch.size() == 1 ? ALONE : TOGETHER;
        }

        static LockWait ofPart(List<Command> part) {
            return part.size() == 1 ? LAST_PART : PART;
        }

        int tries() {
            return tries;
        }

        @Nullable
        Duration lockWait(Duration statementTimeout) {
            return share == 0 ? null : statementTimeout.dividedBy(share);
        }
    }

    /** All results, or all sketches, of a batch may be sent in one statement. */
    private static long contentBytes(List<Command> batch) {
        long bytes = 0;
        for (Command command : batch) {
            if (command instanceof Command.Settle settle && settle.result() != null) {
                bytes += settle.result().size();
            } else if (command instanceof Command.Insert insert) {
                bytes += insert.fingerprint().sketch().length;
            }
        }
        return bytes;
    }

    private void requireBounded(List<Command> batch) {
        for (Command command : batch) {
            if (command instanceof Command.Settle settle
                    && settle.result() != null
                    && settle.result().size() > largestResult) {
                throw new StoreException(
                        StoreException.Kind.REJECTED,
                        "The result has %d bytes, but this database accepts at most %d in one statement"
                                .formatted(settle.result().size(), largestResult));
            }
        }
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        if (refs.isEmpty()) {
            return Map.of();
        }
        return connections.run(connection -> {
            Map<ClaimRef, Snapshot> found = new HashMap<>();
            int largest = ClaimStore.largestResult(refs.size());
            dialect.read(connection, refs, largest, found);
            return pointers.resolved(connection, found, largest);
        });
    }

    @Override
    public SweepReport sweep(int limit) {
        return connections.run(SWEEP_TRIES, connection -> {
            pointers.deletePointersToExpired(connection, limit, statementTimeout);
            SweepReport report = dialect.sweep(connection, limit, statementTimeout);
            // Skipped during a long sweep: the next batch would repeat it.
            return !report.more() && pointers.deleteOrphans(connection, limit, statementTimeout)
                    ? new SweepReport(report.deleted(), report.released(), report.parked(), true)
                    : report;
        });
    }

    @Override
    public boolean commitsInsertsApart() {
        return dialect.commitsInsertsApart();
    }

    @Override
    public Optional<ClaimEntry> find(ClaimRef ref) {
        return browser.find(ref);
    }

    @Override
    public ClaimPage page(Query query) {
        return browser.page(query);
    }

    @Override
    public List<ClaimEntry> withPrefix(String tenant, String prefix, int limit) {
        return browser.withPrefix(tenant, prefix, limit);
    }

    @Override
    public Scopes scopes(String tenant, int limit) {
        return browser.scopes(tenant, limit);
    }

    @Override
    public Map<Status, Long> counts(String tenant) {
        return browser.counts(tenant);
    }

    @Override
    public long onlyFoundBy(String secretId) {
        return browser.onlyFoundBy(secretId);
    }

    @Override
    public Verdict decide(Command.Settle decision, HistoryEntry entry) {
        requireBounded(List.of(decision));
        return history.decide(decision, entry);
    }

    @Override
    public void add(List<HistoryEntry> entries) {
        history.add(entries);
    }

    @Override
    public void addReplays(Map<ClaimRef, Long> replays) {
        history.addReplays(replays);
    }

    @Override
    public long replays(ClaimRef ref) {
        return history.replays(ref);
    }

    @Override
    public List<HistoryEntry> history(ClaimRef ref, int limit) {
        return history.history(ref, limit);
    }

    @Override
    public List<HistoryEntry> decisions(String tenant, @Nullable Long before, int limit) {
        return history.decisions(tenant, before, limit);
    }

    /** Claims that were parked lately, by the newest entries of the history. Some may be decided since. */
    public List<ClaimRef> parked(int limit) {
        return history.parked(limit);
    }

    @Override
    public int purge(Duration age, @Nullable Duration decisions, int limit) {
        return history.purge(age, decisions, limit);
    }

    @Override
    public boolean start(String name, String holder, Duration lease, Duration pause) {
        return jobs.start(name, holder, lease, pause);
    }

    @Override
    public boolean extend(String name, String holder, Duration lease) {
        return jobs.extend(name, holder, lease);
    }

    @Override
    public void end(String name, String holder, String report) {
        jobs.end(name, holder, report);
    }

    @Override
    public Optional<JobRun> last(String name) {
        return jobs.last(name);
    }

    @Override
    public long due(int limit) {
        return browser.due(limit);
    }

    @Override
    public long current() {
        return epoch.current();
    }

    @Override
    public long advance() {
        return epoch.advance();
    }

    /** Closes the file that {@link #sqlite} opened. A data source passed by the caller stays open. */
    @Override
    public void close() {
        try {
            resource.close();
        } catch (Exception e) {
            throw new StoreException(StoreException.Kind.UNREACHABLE, "The store could not be closed", e);
        }
    }
}
