// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.internal.BoundedText;
import dev.semel.internal.Sha256;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Webhook events, each there exactly once: an event and its claim are one commit. Sealed at rest.
 *
 * <ol>
 *   <li>Equal events of this process follow the first of them; nobody else of them goes to the database.
 *   <li>The event gets an id, is sealed, and goes to the database with those of other callers: its claim, that of its
 *       payment if it has one, and its row in one transaction.
 *   <li>What the claim then holds decides. A receipt with the event's own id is this one's, however often it had to be
 *       sent; any other was there before, and says whether its body was another.
 *   <li>Whoever meets another process at the same event asks again for a while, holding neither thread nor connection.
 * </ol>
 *
 * <p>Claims are those of {@code TransactionalClaims}, in the scope {@code webhook:<provider>}, and are forgotten when
 * their time is over, whether the event is still in the inbox or not.
 */
public final class Inbox {
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private final InboxClaims claims;
    private final InboxSeals seals;
    private final InboxReads reads;
    private final Reading reading;
    private final SettledPages pages;
    private final Retention retention;
    private final Duration patience;
    private final InboxQueue queue = new InboxQueue();
    private final Flights<Sameness, InboxClaims.Answer> flights = new Flights<>(InboxClaims.Answer::isRejected);

    Inbox(
            InboxClaims claims,
            InboxSeals seals,
            InboxReads reads,
            Reading reading,
            Retention retention,
            Duration patience) {
        this.claims = claims;
        this.seals = seals;
        this.reads = reads;
        this.reading = reading;
        this.pages = new SettledPages(reading);
        this.retention = retention;
        this.patience = patience;
    }

    /**
     * Writes an event, unless one of its names, or its payment, is known. The stage never fails.
     *
     * @param wait for how long it may wait for another caller who is at the same event, at most an hour
     */
    public CompletionStage<InboxOutcome> record(InboxEntry entry, Duration wait) {
        Objects.requireNonNull(entry, "An entry must not be null");
        if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("wait must be 0 to %s, but is %s".formatted(LONGEST_WAIT, wait));
        }
        InboxReceipt receipt =
                new InboxReceipt(true, UUID.randomUUID(), sha256(entry.body().bytes()));
        CompletableFuture<InboxClaims.Answer> answer = flights.submit(
                Sameness.of(entry), () -> submitted(entry, receipt, wait), first -> followed(first, wait));
        return answer.thenApply(there -> outcome(receipt, there))
                .exceptionally(failure -> new InboxOutcome.Failed(JournalThreads.failure(failure)));
    }

    /** Many events, of which each stands for itself. The stage never fails; its outcomes are in the order of the entries. */
    public CompletionStage<List<InboxOutcome>> recordAll(List<InboxEntry> entries, Duration wait) {
        List<CompletableFuture<InboxOutcome>> outcomes = new ArrayList<>(entries.size());
        entries.forEach(entry -> outcomes.add(record(entry, wait).toCompletableFuture()));
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(all -> outcomes.stream().map(CompletableFuture::join).toList());
    }

    /**
     * The digest, by the current secret, of an event's claim: {@code key_hash} of its row in {@code idempotency_keys}.
     *
     * @param key the event's strongest name
     */
    public Digest digestOf(String tenant, String provider, String key) {
        return claims.refOf(new ClaimKey(tenant, InboxEntry.scope(provider), key))
                .digest();
    }

    /** Equal in all of it: an event that has one more name must tell the database. */
    private record Sameness(AliasedKey keys, @Nullable InboxPayment payment) {
        static Sameness of(InboxEntry entry) {
            return new Sameness(entry.keys().of(entry.tenant(), entry.scope()), entry.payment());
        }
    }

    private CompletableFuture<InboxClaims.Answer> submitted(InboxEntry entry, InboxReceipt receipt, Duration wait) {
        InboxRow row = new InboxRow(
                receipt,
                entry,
                claims.refOf(entry),
                seals.headers(entry.tenant(), receipt.id(), entry.headers()),
                seals.body(entry.tenant(), receipt.id(), entry.body()));
        return reading.tracked(queue.admit(row, () -> claims.submit(row, wait)))
                // Whatever happens on the way: nobody waits for ever.
                .completeOnTimeout(silent(), wait.plus(patience).toMillis(), TimeUnit.MILLISECONDS);
    }

    private static CompletableFuture<InboxClaims.Answer> followed(
            CompletableFuture<InboxClaims.Answer> first, Duration wait) {
        return first.copy()
                .completeOnTimeout(
                        new InboxClaims.Answer.InProgress(ASK_AGAIN), wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static InboxClaims.Answer silent() {
        return new InboxClaims.Answer.Failed(
                new StoreException(Kind.UNREACHABLE, "The database did not answer in time"));
    }

    private static InboxOutcome outcome(InboxReceipt own, InboxClaims.Answer answer) {
        if (answer instanceof InboxClaims.Answer.Settled settled) {
            InboxReceipt there = settled.receipt();
            if (there.id().equals(own.id())) {
                return there.written() ? new InboxOutcome.Recorded(own.id()) : new InboxOutcome.PaymentDuplicate();
            }
            return new InboxOutcome.AlreadyThere(
                    there.written() ? Optional.of(there.id()) : Optional.empty(),
                    !there.payload().equals(own.payload()));
        }
        if (answer instanceof InboxClaims.Answer.InProgress running) {
            return new InboxOutcome.InProgress(running.retryAfter());
        }
        return answer instanceof InboxClaims.Answer.Failed failed
                ? new InboxOutcome.Failed(failed.cause())
                : new InboxOutcome.AlreadyThere(Optional.empty(), false);
    }

    /**
     * Events in order of writing, opened. Whoever goes on from cursor to cursor misses none; see {@link Ledger#page}.
     *
     * @param after a cursor of an earlier page; null or empty begins with the first event
     * @throws IllegalArgumentException if it is no cursor, or the limit is not 1 to {@value Page#MAX_LIMIT}
     */
    public CompletionStage<Page<InboxEvent>> page(InboxQuery query, @Nullable String after, int limit) {
        return page(query, after, limit, Page.MAX_BYTES);
    }

    /**
     * As {@link #page(InboxQuery, String, int)}, with a smaller bound on a page's bytes.
     *
     * @param maxBytes how many bytes of content a page has at most, unless its first item alone has more: 1 to {@link
     *     Page#MAX_BYTES}
     */
    public CompletionStage<Page<InboxEvent>> page(InboxQuery query, @Nullable String after, int limit, int maxBytes) {
        return pages.read(
                after,
                limit,
                maxBytes,
                (any, connection, from, bounds) -> reads.page(connection, query, from, bounds),
                event -> event);
    }

    /** An event of this tenant. */
    public CompletionStage<Optional<InboxEvent>> find(String tenant, UUID id) {
        BoundedText.check("tenant", tenant, EventText.MAX_NAME);
        return reading.run((any, connection) -> reads.find(connection, tenant, id));
    }

    /** Says that a consumer is done with an event. Saying it again changes nothing. The stage never fails. */
    public CompletionStage<Acknowledgement> ack(String tenant, UUID id, String actor) {
        BoundedText.check("tenant", tenant, EventText.MAX_NAME);
        BoundedText.check("actor", actor, EventText.MAX_NAME);
        return reading.run((any, connection) -> reads.acknowledge(connection, tenant, id, actor))
                .exceptionally(failure -> new Acknowledgement.Failed(JournalThreads.failure(failure)));
    }

    /**
     * Forgets events that were acknowledged long enough ago, in small batches, and says how many; others are kept. It
     * does so by itself, every hour. Fails with a {@link StoreException} only.
     */
    public CompletionStage<Long> purge() {
        return retention.purge();
    }

    private static Digest sha256(byte[] bytes) {
        return new Digest(Sha256.of(bytes));
    }
}
