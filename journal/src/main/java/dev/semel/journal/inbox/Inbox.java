// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.Outcome;
import dev.semel.TransactionEvents;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.StoreException;
import dev.semel.internal.BoundedText;
import dev.semel.internal.Futures;
import dev.semel.internal.Sha256;
import dev.semel.journal.page.Page;
import dev.semel.journal.page.PageBack;
import dev.semel.journal.rows.CoalescedWrites;
import dev.semel.journal.rows.InboxIds;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.journal.rows.SettledPages;
import dev.semel.key.Secrets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Webhook events, each stored exactly once and encrypted at rest. An event and its claim are written in one commit.
 *
 * <ol>
 *   <li>Concurrent equal events of this process are coalesced: the first one is written, the others wait for its outcome.
 *   <li>The event gets an id and is encrypted. One transaction, shared with events of other callers, writes its claim, the claim
 *       of its payment if it has one, and its row.
 *   <li>The receipt that the claim then holds decides. If it has the event's own id, this call wrote the event, no matter how often
 *       it had to be sent. Otherwise the event is a duplicate, and the receipt says whether its body was different.
 *   <li>If another process is recording the same event, the claim is retried until the wait is over. No thread and no connection is
 *       held in the meantime.
 * </ol>
 *
 * <p>Claims are those of {@code TransactionalClaims}, in the scope {@code webhook:<provider>}. They expire after their TTL, whether
 * the event is still in the inbox or not.
 */
public final class Inbox {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration MAX_WAIT = Duration.ofHours(1);

    /** How often a waiting consumer looks for events that other processes have written, and for leases that have ended. */
    private static final long POLL_MILLIS = 1_000;

    private final JournalDatabase database;
    private final InboxClaims claims;
    private final InboxSeals seals;
    private final InboxReads reads;
    private final SettledPages pages;
    private final InboxRetention retention;
    private final InboxTakes takes;
    private final InboxWaiters waiters = new InboxWaiters();
    private final InboxQueue queue = new InboxQueue();
    private final CoalescedWrites<Identity, Outcome<InboxReceipt>> coalesced =
            new CoalescedWrites<>(InboxClaims::isRejected);

    /**
     * For {@code Journal}, which builds it.
     *
     * @param events is told of the claims
     * @param keep how long events are kept after they were acknowledged
     * @param purges whether the inbox deletes older events by itself
     */
    @SuppressWarnings("exports")
    public Inbox(JournalDatabase database, Secrets secrets, TransactionEvents events, Duration keep, boolean purges) {
        InboxTables tables = InboxTables.of(database.dialect());
        this.database = database;
        this.claims = new InboxClaims(database.dataSource(), secrets, tables, events);
        this.seals = new InboxSeals(secrets);
        this.reads = new InboxReads(database.dialect(), tables, seals);
        this.takes = new InboxTakes(database, tables, reads);
        this.pages = new SettledPages(database);
        this.retention = new InboxRetention(reads, database, keep);
        database.onClose(claims::close);
        if (purges) {
            retention.start();
        }
    }

    /**
     * Writes an event, unless one of its keys or its payment is known. The stage never fails.
     *
     * @param wait how long to wait for another caller that is recording the same event, at most an hour
     */
    public CompletionStage<InboxOutcome> record(InboxEntry entry, Duration wait) {
        Objects.requireNonNull(entry, "entry must not be null");
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("wait must be 0 to %s, but is %s".formatted(MAX_WAIT, wait));
        }
        ClaimRef claim = claims.refOf(entry);
        InboxReceipt receipt = new InboxReceipt(
                true, InboxIds.next(claim.digest()), sha256(entry.body().bytes()));
        CompletableFuture<Outcome<InboxReceipt>> shared = coalesced.submit(
                Identity.of(entry),
                () -> submit(entry, claim, receipt, wait),
                first -> waitFor(first, wait).whenComplete((outcome, failure) -> claims.shared(entry, claim, outcome)));
        return shared.thenApply(outcome -> told(entry.tenant(), InboxClaims.outcome(receipt, outcome)))
                .exceptionally(failure -> new InboxOutcome.Failed(JournalDatabase.failure(failure)));
    }

    private InboxOutcome told(String tenant, InboxOutcome outcome) {
        if (outcome instanceof InboxOutcome.Recorded) {
            waiters.wake(tenant);
        }
        return outcome;
    }

    /** Writes many events, each independent of the others. The stage never fails; its outcomes are in the order of the entries. */
    public CompletionStage<List<InboxOutcome>> recordAll(List<InboxEntry> entries, Duration wait) {
        return Futures.all(entries.stream()
                .map(entry -> record(entry, wait).toCompletableFuture())
                .toList());
    }

    /**
     * The digest of an event's claim with the current secret: {@code key_hash} of its row in {@code idempotency_keys}.
     *
     * @param key see {@link InboxKeys#key}
     */
    public Digest digestOf(String tenant, String provider, String key) {
        return claims.refOf(new ClaimKey(tenant, InboxEntry.scope(provider), key))
                .digest();
    }

    /** Two events are coalesced only if all keys are equal: a further key has to be written to the database. */
    private record Identity(AliasedKey keys, @Nullable InboxPayment payment) {
        static Identity of(InboxEntry entry) {
            return new Identity(entry.keys().of(entry.tenant(), entry.scope()), entry.payment());
        }
    }

    private CompletableFuture<Outcome<InboxReceipt>> submit(
            InboxEntry entry, ClaimRef claim, InboxReceipt receipt, Duration wait) {
        InboxRow row = new InboxRow(
                receipt,
                entry,
                claim,
                seals.headers(entry.tenant(), receipt.id(), entry.headers()),
                seals.body(entry.tenant(), receipt.id(), entry.body()));
        return database.untilClosed(queue.admit(row, () -> claims.submit(row, wait)))
                // Bounds the wait even if the write never answers.
                .completeOnTimeout(timedOut(), wait.plus(database.maxWait()).toMillis(), TimeUnit.MILLISECONDS);
    }

    private static CompletableFuture<Outcome<InboxReceipt>> waitFor(
            CompletableFuture<Outcome<InboxReceipt>> first, Duration wait) {
        return first.copy()
                .completeOnTimeout(new Outcome.InProgress<>(RETRY_AFTER), wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Outcome<InboxReceipt> timedOut() {
        return new Outcome.Unavailable<>("The database did not answer in time", null);
    }

    /**
     * Events in the order of writing, decrypted. A reader that continues from cursor to cursor misses none, as with {@code
     * Ledger.page}.
     *
     * @param after a cursor of an earlier page; null or empty begins with the first event
     * @throws IllegalArgumentException if {@code after} is not a cursor, or the limit is not 1 to {@value Page#MAX_LIMIT}
     */
    public CompletionStage<Page<InboxEvent>> page(InboxQuery query, @Nullable String after, int limit) {
        return page(query, after, limit, Page.MAX_BYTES);
    }

    /**
     * As {@link #page(InboxQuery, String, int)}, with a smaller limit on the bytes of a page.
     *
     * @param maxBytes the maximum bytes of content, unless the first item alone is larger: 1 to {@link Page#MAX_BYTES}
     */
    public CompletionStage<Page<InboxEvent>> page(InboxQuery query, @Nullable String after, int limit, int maxBytes) {
        return pages.read(
                after,
                limit,
                maxBytes,
                (connection, from, bounds) -> reads.page(connection, query, from, bounds),
                event -> event);
    }

    /**
     * Finds where a page of the newest events begins, or of those before it.
     *
     * @param until the cursor of the last one; null or empty for the newest. Pass the {@code after} of a page to go back
     * @param limit how many at most: 1 to {@link Page#MAX_LIMIT}
     * @throws IllegalArgumentException if {@code until} is not a cursor, or the limit is out of range
     */
    public CompletionStage<PageBack> back(InboxQuery query, @Nullable String until, int limit) {
        return pages.back(until, limit, (connection, end, rows) -> reads.back(connection, query, end, rows));
    }

    /** Finds an event of this tenant. */
    public CompletionStage<Optional<InboxEvent>> find(String tenant, UUID id) {
        BoundedText.check("tenant", tenant, InboxEntry.MAX_NAME);
        return database.read(connection -> reads.find(connection, tenant, id));
    }

    /** Records that a consumer has processed an event. A second acknowledgement changes nothing. The stage never fails. */
    public CompletionStage<Acknowledgement> ack(String tenant, UUID id, String actor) {
        BoundedText.check("tenant", tenant, InboxEntry.MAX_NAME);
        BoundedText.check("actor", actor, InboxEntry.MAX_NAME);
        return database.read(connection -> reads.acknowledge(connection, tenant, id, actor))
                .exceptionally(failure -> new Acknowledgement.Failed(JournalDatabase.failure(failure)));
    }

    /**
     * Takes the oldest events that are neither acknowledged nor taken, so that no other consumer takes them until the lease
     * ends. An event whose lease has ended is taken again. Fails only with a {@link StoreException}. A take that was committed
     * although it failed for the caller is given back as soon as the database answers; otherwise its events can be taken again
     * after the lease.
     */
    public CompletionStage<InboxTake> take(InboxTakeOrder order) {
        Objects.requireNonNull(order, "order must not be null");
        return new InboxTakeAttempt(database, takes, order, () -> waiters.wake(order.tenant())).run();
    }

    /**
     * Waits until there is an event to take. Another consumer may take it first. Holds no thread and no connection while it waits.
     * Fails only with a {@link StoreException}, for example if 200 consumers already wait in this process, or 100 of this tenant.
     *
     * @param provider only this provider's events; null for all
     * @param wait how long, up to an hour; zero to look once
     * @return false if there was none in this time
     */
    public CompletionStage<Boolean> awaitUntaken(String tenant, @Nullable String provider, Duration wait) {
        BoundedText.check("tenant", tenant, InboxEntry.MAX_NAME);
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("wait must be 0 to %s, but is %s".formatted(MAX_WAIT, wait));
        }
        long end = System.nanoTime() + wait.toNanos();
        return wait.isZero()
                ? untaken(tenant, provider, end)
                : waiters.admit(tenant, () -> untaken(tenant, provider, end).toCompletableFuture());
    }

    private CompletionStage<Boolean> untaken(String tenant, @Nullable String provider, long end) {
        return database.read(connection -> takes.exists(connection, tenant, provider))
                .thenCompose(found -> {
                    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                    if (found || left <= 0 || waiters.ended()) {
                        return CompletableFuture.completedFuture(found);
                    }
                    CompletableFuture<Boolean> pause =
                            database.pause(Math.min(left, POLL_MILLIS)).toCompletableFuture();
                    return waiters.next(tenant, pause).thenCompose(woken -> untaken(tenant, provider, end));
                });
    }

    /** Ends all waits of {@link #awaitUntaken}, and every later one at once: for a process that stops. */
    public void endWaits() {
        waiters.end();
    }

    /**
     * Acknowledges an event that was taken. Refused only if another consumer has taken it since. A second acknowledgement
     * changes nothing. The stage never fails.
     */
    public CompletionStage<Acknowledgement> ack(String tenant, UUID id, UUID token, String actor) {
        BoundedText.check("tenant", tenant, InboxEntry.MAX_NAME);
        BoundedText.check("actor", actor, InboxEntry.MAX_NAME);
        return database.read(connection -> takes.acknowledge(connection, tenant, id, token, actor))
                .exceptionally(failure -> new Acknowledgement.Failed(JournalDatabase.failure(failure)));
    }

    /**
     * Gives an event back that was taken, so that it can be taken again. Giving it back again changes nothing more. The stage
     * never fails.
     *
     * @param delay how long nobody takes it, up to the longest lease
     */
    public CompletionStage<InboxReturn> giveBack(String tenant, UUID id, UUID token, Duration delay) {
        BoundedText.check("tenant", tenant, InboxEntry.MAX_NAME);
        if (delay.isNegative() || delay.compareTo(InboxTakeOrder.MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "delay must be 0 to %s, but is %s".formatted(InboxTakeOrder.MAX_LEASE, delay));
        }
        return database.read(connection -> takes.giveBack(connection, tenant, id, token, delay))
                .thenApply(outcome -> {
                    waiters.wake(tenant);
                    return outcome;
                })
                .exceptionally(failure -> new InboxReturn.Failed(JournalDatabase.failure(failure)));
    }

    /**
     * Deletes events whose retention after the acknowledgement is over, in small batches, and returns their number. Events that
     * are not acknowledged are kept. The inbox does this every hour by itself, unless
     * {@code JournalBuilder.withoutPurge} was called. Fails only with a {@link StoreException}.
     */
    public CompletionStage<Long> purge() {
        return retention.purge();
    }

    private static Digest sha256(byte[] bytes) {
        return new Digest(Sha256.of(bytes));
    }
}
