// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Claims by conditional writes in one DynamoDB table: one request for each command, sent in parallel. A refused command returns the
 * existing claim in the same answer. Claims with aliases are transactions.
 *
 * <p>The time is that of DynamoDB's servers, which the {@code Date} of every answer tells to within a second or less. Leases, run
 * times and expiry are written with the latest time that it can be. A claim is taken over, expired or swept only two seconds after
 * the earliest time that it can be, and not at all while the time is unknown. The clock of the process is never used.
 *
 * <p>The table must not be a global table: concurrent writes in two regions would both succeed.
 */
public final class DynamoClaimStore implements ClaimStore, ClaimBrowser, HistoryStore, JobLeases, CacheEpoch {
    /** The name of the table, unless another one is given. */
    public static final String TABLE = "semel_claims";

    /** Time limit of a request with the repetitions of the SDK. Half of it is the limit of each attempt. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    private final DynamoCalls calls;
    private final DynamoChunks chunks;
    private final DynamoReads reads;
    private final DynamoCommands commands;
    private final DynamoHistory history;
    private final DynamoSweep sweep;
    private final DynamoEpoch epoch;
    private final DynamoBrowser browser;
    private final DynamoRotation rotation;
    private final DynamoJobs jobs;

    DynamoClaimStore(DynamoCalls calls) {
        DynamoChunks chunks = new DynamoChunks(calls);
        this.calls = calls;
        this.chunks = chunks;
        this.reads = new DynamoReads(calls, chunks);
        this.commands = new DynamoCommands(calls, reads, chunks);
        DynamoListedCheck listed = new DynamoListedCheck(calls);
        this.history = new DynamoHistory(calls, reads, commands.settlements(), listed);
        this.sweep = new DynamoSweep(calls, reads, chunks, history);
        this.epoch = new DynamoEpoch(calls);
        this.browser = new DynamoBrowser(calls, reads, listed, Query.MAX_SCAN, DynamoBrowser.MAX_READ);
        this.rotation = new DynamoRotation(calls, reads);
        this.jobs = new DynamoJobs(calls);
    }

    /**
     * Returns a store on the table {@value #TABLE}, which must exist.
     *
     * @param client is not closed by the store
     * @throws StoreException if the table is missing or not one of Semel's
     */
    public static DynamoClaimStore on(DynamoDbAsyncClient client) {
        return on(client, TABLE);
    }

    /** As {@link #on(DynamoDbAsyncClient)}, with another table. */
    public static DynamoClaimStore on(DynamoDbAsyncClient client, String table) {
        Objects.requireNonNull(client, "A client must not be null");
        Objects.requireNonNull(table, "The name of a table must not be null");
        DynamoTable.check(client, table);
        DynamoCalls calls = new DynamoCalls(client, table, new DynamoClock(System::nanoTime), REQUEST_TIMEOUT);
        // Cheap reads, so that the first claim does not have to ask for the time.
        DynamoFutures.await(calls.time());
        return new DynamoClaimStore(calls);
    }

    /** Returns a store on the table {@value #TABLE}, after creating or updating it by {@link DynamoMigration}. */
    public static DynamoClaimStore creating(DynamoDbAsyncClient client) {
        return creating(client, TABLE);
    }

    /** As {@link #creating(DynamoDbAsyncClient)}, with another table. */
    public static DynamoClaimStore creating(DynamoDbAsyncClient client, String table) {
        DynamoMigration.of(client, table).run();
        return on(client, table);
    }

    /**
     * Returns this store with another time limit of a request, which includes the repetitions of the SDK. The default is 2 s. Keep it
     * well below the engine's store timeout.
     */
    public DynamoClaimStore withRequestTimeout(Duration bound) {
        if (bound.toMillis() < 100 || bound.toMinutes() > 60) {
            throw new IllegalArgumentException(
                    "The request timeout must be between 100 ms and 1 hour, but is " + bound);
        }
        return new DynamoClaimStore(calls.withTimeout(bound));
    }

    DynamoCalls calls() {
        return calls;
    }

    DynamoReads reads() {
        return reads;
    }

    DynamoCommands commands() {
        return commands;
    }

    DynamoChunks chunks() {
        return chunks;
    }

    @Override
    public List<Verdict> apply(List<? extends Command> batch) {
        return DynamoFutures.await(applying(batch));
    }

    /** As {@link #apply}, without waiting. */
    CompletableFuture<List<Verdict>> applying(List<? extends Command> batch) {
        Verdict[] verdicts = new Verdict[batch.size()];
        int largest = ClaimStore.largestResult(batch.size());
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (List<Integer> round : CommandRounds.of(batch)) {
            done = done.thenCompose(before -> apply(round, batch, largest, verdicts));
        }
        return done.thenApply(all -> Arrays.asList(verdicts));
    }

    private CompletableFuture<Void> apply(
            List<Integer> round, List<? extends Command> batch, int largest, Verdict[] verdicts) {
        List<CompletableFuture<Verdict>> answers = new ArrayList<>(round.size());
        for (int index : round) {
            answers.add(commands.apply(batch.get(index), largest).exceptionally(DynamoClaimStore::errored));
        }
        return DynamoFutures.all(answers).thenAccept(answered -> {
            for (int i = 0; i < round.size(); i++) {
                verdicts[round.get(i)] = answered.get(i);
            }
        });
    }

    /** Every command is a request of its own, so each fails alone, also if its effect is unknown. */
    private static Verdict errored(Throwable failure) {
        if (DynamoErrors.unwrapped(failure) instanceof StoreException known) {
            return new Verdict.Errored(known);
        }
        return new Verdict.Errored(new StoreException(
                StoreException.Kind.UNREACHABLE, "The command failed unexpectedly: " + failure, failure));
    }

    @Override
    public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
        return DynamoFutures.await(reading(refs));
    }

    /** As {@link #read}, without waiting. */
    CompletableFuture<Map<ClaimRef, Snapshot>> reading(Collection<ClaimRef> refs) {
        return reads.snapshots(refs, ClaimStore.largestResult(refs.size()));
    }

    @Override
    public SweepReport sweep(int limit) {
        return DynamoFutures.await(sweeping(limit));
    }

    /** As {@link #sweep}, without waiting. */
    CompletableFuture<SweepReport> sweeping(int limit) {
        return sweep.run(limit);
    }

    @Override
    public long current() {
        return DynamoFutures.await(epochOfNow());
    }

    /** As {@link #current}, without waiting. */
    CompletableFuture<Long> epochOfNow() {
        return epoch.current();
    }

    @Override
    public long advance() {
        return DynamoFutures.await(epoch.advance());
    }

    @Override
    public Optional<ClaimEntry> find(ClaimRef ref) {
        return browser.find(ref);
    }

    /**
     * {@inheritDoc} Lists are eventually consistent: a new claim may be missing for about a second. If a page is filtered by status,
     * it reads at most 2,000 claims.
     *
     * @throws StoreException if the table has no index for lists
     */
    @Override
    public ClaimPage page(Query query) {
        return browser.page(query);
    }

    /** {@inheritDoc} Unless the prefix is a whole digest, a sixteenth of the tenant's index is read. */
    @Override
    public List<ClaimEntry> withPrefix(String tenant, String prefix, int limit) {
        return browser.withPrefix(tenant, prefix, limit);
    }

    @Override
    public Scopes scopes(String tenant, int limit) {
        return browser.scopes(tenant, limit);
    }

    /** {@inheritDoc} Reads all claims of the tenant. */
    @Override
    public Map<Status, Long> counts(String tenant) {
        return browser.counts(tenant);
    }

    /** {@inheritDoc} Reads the whole table. */
    @Override
    public long onlyFoundBy(String secretId) {
        return rotation.onlyFoundBy(secretId);
    }

    @Override
    public long due(int limit) {
        return browser.due(limit);
    }

    @Override
    public Verdict decide(Command.Settle decision, HistoryEntry entry) {
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

    /** {@inheritDoc} Eventually consistent: a new entry may be missing for about a second. */
    @Override
    public List<HistoryEntry> history(ClaimRef ref, int limit) {
        return history.history(ref, limit);
    }

    /** {@inheritDoc} Eventually consistent. */
    @Override
    public List<HistoryEntry> decisions(String tenant, @Nullable Long before, int limit) {
        return history.decisions(tenant, before, limit);
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
}
