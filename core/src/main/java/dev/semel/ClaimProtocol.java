// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.internal.Futures;
import dev.semel.key.KeyDigests;
import dev.semel.lane.Deadlines;
import dev.semel.replay.EpochGuardedCache;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the claim protocol. PROTOCOL.md says the same at more length.
 *
 * <ol>
 *   <li><b>Two writes only</b>: insert if absent, and compare-and-set on the owner's token ({@link Command}).
 *   <li><b>Digest.</b> A claim is named by one keyed 256-bit digest of mode, tenant, scope and key ({@link KeyDigests}).
 *   <li><b>Claim.</b> Insert with a fresh random token. Whoever loses is shown the claim that is there; a loser that
 *       finds its own token has won. No answer leaves before the commit.
 *   <li><b>Decision.</b> An expired claim counts as absent; then mismatch; then status ({@link Decision}).
 *   <li><b>Take over.</b> A duplicate costs a read, never a write. Only a claim read as reclaimable is taken, by a
 *       compare-and-set on the token that was seen, which checks the lapse again, writes a new token and adds one to
 *       the attempt. The stale policy stored with the claim decides, not the newcomer's.
 *   <li><b>Run.</b> The lease is renewed at a third of it, up to a maximum run time ({@link Run}).
 *   <li><b>Settle</b> where the token is mine and the claim is still open. Settling after the lease but before a
 *       take-over succeeds.
 *   <li><b>Replay.</b> What is stored is what every later caller gets, from a cache where that knows it
 *       ({@link Replays}), and otherwise from the store.
 *   <li><b>Expire.</b> No expiry while running; the TTL counts from settlement ({@link Sweeper}).
 *   <li><b>One clock</b>, the store's. Tokens decide ownership; time only decides who may try.
 *   <li><b>Aliases and secret rotation are one mechanism</b> ({@link ClaimDigests}): a claim has one or more digests, inserted
 *       together. One row is the record, the others lead to it. All new: granted. Some there: the new ones lead to that
 *       record, which answers. Two records: a conflict, which is recorded; the more decisive one answers.
 * </ol>
 */
final class ClaimProtocol {
    /** How often a claim is tried again when the row it met is gone or changed a moment later. */
    private static final int ROUNDS = 8;

    /** Why a claim that was granted does not start. */
    static final String LAPSED = "the lease ended before the work could start; nothing ran";

    /** How many claims with several names are made in one call: few enough to be done long before the time-out. */
    private static final int PART = 32;

    private static final StoredResult TOO_MUCH = StoredResult.tombstone("the store would not take the result");

    private final StoreGateway gateway;
    private final Duration storeTimeout;
    private final Replays replays;
    private final int maxAtOnce;
    private final AtomicInteger underWay = new AtomicInteger();
    private final Parts parts;
    private final OmittedResults omittedResults;
    private final DuplicateShare duplicates = new DuplicateShare();

    /**
     * @param maxAtOnce how many claims may be under way, those included whose callers have left; more are refused as busy, because what cannot
     *     be served in time had better be told so before memory grows
     * @param maxParts how many parts of large requests, and how many large results, may be with the store at once
     */
    ClaimProtocol(StoreGateway gateway, Duration storeTimeout, Replays replays, int maxAtOnce, int maxParts) {
        this.gateway = gateway;
        this.storeTimeout = storeTimeout;
        this.replays = replays;
        this.maxAtOnce = maxAtOnce;
        this.parts = new Parts(maxParts);
        this.omittedResults = new OmittedResults(gateway, maxParts);
    }

    /**
     * Points 3 to 5 of the protocol. Never fails: what goes wrong is an outcome.
     *
     * @param onConflict told if two of the names lead to two records
     * @param caller the thread that only waits for the answer, if there is one
     */
    CompletableFuture<ClaimOutcome> claim(
            ClaimDigests names,
            String scope,
            Fingerprint fingerprint,
            Terms terms,
            Runnable onConflict,
            @Nullable Thread caller) {
        if (!admit(1)) {
            return CompletableFuture.completedFuture(busy());
        }
        Request request = request(names, scope, fingerprint, terms, onConflict, false, caller);
        // Only an insert makes new names lead to a record that is there.
        boolean look = duplicates.high() && names.others().isEmpty();
        return ended(
                request, look ? lookFirst(request) : acquire(request, insert(request), Claim.Origin.FIRST, ROUNDS));
    }

    private boolean admit(int count) {
        if (underWay.addAndGet(count) > maxAtOnce) {
            underWay.addAndGet(-count);
            return false;
        }
        return true;
    }

    /**
     * Many claims at once; each has its own outcome, and what is taken over is so alone. Those with one name are one call to
     * the store. Those with several are a transaction each, so they are made in parts, and the store's time-out counts from
     * when a part is begun. Once it is over for one part, the others are not begun any more. What the store leaves out of its
     * answer stays left out here.
     *
     * @param onConflict told the position of a claim two of whose names lead to two records
     */
    List<CompletableFuture<ClaimOutcome>> claimAll(
            List<ClaimDigests> names, List<ClaimRequest> wanted, IntConsumer onConflict) {
        int count = wanted.size();
        if (!admit(count)) {
            return wanted.stream()
                    .map(one -> CompletableFuture.completedFuture(busy()))
                    .toList();
        }
        List<Slot> slots = IntStream.range(0, count)
                .mapToObj(i -> new Slot(names.get(i), wanted.get(i), () -> onConflict.accept(i)))
                .toList();
        AtomicReference<@Nullable Throwable> silent = new AtomicReference<>();
        List<Slot> plain = slots.stream().filter(Slot::plain).toList();
        if (!plain.isEmpty()) {
            begin(plain, silent);
        }
        List<Slot> several = slots.stream().filter(slot -> !slot.plain()).toList();
        for (int from = 0; from < several.size(); from += PART) {
            List<Slot> part = several.subList(from, Math.min(from + PART, several.size()));
            parts.add(() -> begin(part, silent));
        }
        return slots.stream().map(Slot::outcome).toList();
    }

    /** Makes these claims in one call, unless the store has been silent; ends once that is answered or its time is over. */
    private CompletableFuture<?> begin(List<Slot> part, AtomicReference<@Nullable Throwable> silent) {
        Throwable known = silent.get();
        if (known != null) {
            underWay.addAndGet(-part.size());
            part.forEach(slot -> slot.outcome().complete(unavailable(known)));
            return CompletableFuture.completedFuture(null);
        }
        List<Request> requests = part.stream().map(this::request).toList();
        List<Command> inserts = requests.stream().map(ClaimProtocol::insert).toList();
        Sending<List<Verdict>> all = gateway.submitAll(inserts, storeTimeout);
        // Before the outcomes: a caller that has its outcome must not see a part begin afterwards.
        CompletableFuture<?> answered = gateway.answeredWithin(storeTimeout, all)
                .handle((verdicts, failure) -> {
                    if (failure != null) {
                        silent.compareAndSet(null, Futures.unwrapped(failure));
                    }
                    return null;
                });
        for (int i = 0; i < part.size(); i++) {
            int at = i;
            Request request = requests.get(i);
            Command insert = inserts.get(i);
            CompletableFuture<Verdict> own = all.thenApply(verdicts -> verdicts.get(at));
            CompletableFuture<Verdict> answer = answer(own, all, insert, Claim.Origin.FIRST, request);
            ended(request, acquired(request, insert, Claim.Origin.FIRST, ROUNDS, answer, all))
                    .thenAccept(part.get(i).outcome()::complete);
        }
        return answered;
    }

    private Request request(Slot slot) {
        ClaimRequest wanted = slot.wanted();
        return request(
                slot.names(),
                wanted.key().key().scope(),
                wanted.fingerprint(),
                wanted.terms(),
                slot.onConflict(),
                true,
                null);
    }

    private Request request(
            ClaimDigests names,
            String scope,
            Fingerprint fingerprint,
            Terms terms,
            Runnable onConflict,
            boolean many,
            @Nullable Thread caller) {
        long now = System.nanoTime();
        long deadline = now + Deadlines.nanos(storeTimeout);
        return new Request(
                names,
                scope,
                fingerprint,
                terms,
                onConflict,
                many,
                replays.epoch(),
                now,
                deadline,
                new Place(underWay),
                caller);
    }

    private CompletableFuture<ClaimOutcome> ended(Request request, CompletableFuture<ClaimOutcome> claim) {
        return claim.handle((outcome, failure) -> {
            request.place().leave();
            return failure == null ? outcome : unavailable(Futures.unwrapped(failure));
        });
    }

    private static ClaimOutcome keptChanging() {
        return new ClaimOutcome.Unavailable("the claim kept changing hands while it was being read", null);
    }

    private ClaimOutcome busy() {
        StoreException cause = new StoreException(
                StoreException.Kind.BUSY, "Busy: %d claims are waiting for the store already".formatted(maxAtOnce));
        return unavailable(cause);
    }

    /** A read in place of an insert that would most likely lose. */
    private CompletableFuture<ClaimOutcome> lookFirst(Request request) {
        Duration bound = request.timeLeft();
        CompletableFuture<Optional<Snapshot>> read =
                request.place().heldUntil(gateway.read(request.names().ref(), bound, request.caller()));
        return gateway.answeredWithin(bound, read).thenCompose(found -> {
            duplicates.note(found.isPresent());
            return found.isPresent()
                    ? answerOrTakeOver(request, request.names().ref(), found.get(), ROUNDS)
                    : acquire(request, insert(request), Claim.Origin.FIRST, ROUNDS - 1);
        });
    }

    private CompletableFuture<ClaimOutcome> acquire(
            Request request, Command command, Claim.Origin origin, int roundsLeft) {
        if (roundsLeft == 0) {
            return CompletableFuture.completedFuture(keptChanging());
        }
        Duration left = request.timeLeft();
        if (left.isZero() && request.caller() == null) {
            return CompletableFuture.failedFuture(StoreGateway.late());
        }
        // Never zero, which would have no end: a caller who is late may make the call itself, but not queue for it.
        Duration trying = left.isZero() ? Duration.ofNanos(1) : left;
        Sending<Verdict> sending = gateway.submit(command, trying, request.caller());
        return acquired(
                request, command, origin, roundsLeft, answer(sending, sending, command, origin, request), sending);
    }

    private CompletableFuture<ClaimOutcome> acquired(
            Request request,
            Command command,
            Claim.Origin origin,
            int roundsLeft,
            CompletableFuture<Verdict> answer,
            Sending<?> sending) {
        return answer.thenCompose(verdict -> {
            if (roundsLeft == ROUNDS) {
                duplicates.note(verdict instanceof Verdict.Refused);
            }
            if (verdict instanceof Verdict.Applied applied) {
                Claim claim =
                        Claim.of(applied, request.scope(), command.token(), origin, request.terms(), sending.sent());
                return granted(request, claim, roundsLeft);
            }
            if (verdict instanceof Verdict.Errored) {
                // It failed on its own among many: again, alone.
                return acquire(request, command, origin, roundsLeft - 1);
            }
            Verdict.Refused refused = (Verdict.Refused) verdict;
            if (refused.conflict() != null) {
                request.onConflict().run();
            }
            Snapshot seen = refused.claim();
            return seen == null
                    // It was there a moment ago and is gone: swept in between. Claim it anew.
                    ? acquire(request, insert(request), Claim.Origin.FIRST, roundsLeft - 1)
                    // Only without a conflict does what was seen answer for the reference that was asked for.
                    : answerOrTakeOver(
                            request, refused.conflict() == null ? command.ref() : seen.ref(), seen, roundsLeft);
        });
    }

    /**
     * A grant whose answer took so long that the lease is nearly over, or is over, is renewed first. If somebody else took
     * it over meanwhile, nothing may start, and the claim is asked for again.
     */
    private CompletableFuture<ClaimOutcome> granted(Request request, Claim claim, int roundsLeft) {
        if (Claim.lastsLongEnough(claim.terms(), claim.leaseLeft())) {
            return CompletableFuture.completedFuture(new ClaimOutcome.Granted(claim));
        }
        long sent = System.nanoTime();
        return renew(claim.ref(), claim.token(), claim.terms().lease()).thenCompose(answer -> {
            if (answer instanceof Ownership.Lost) {
                return acquire(request, insert(request), Claim.Origin.FIRST, roundsLeft - 1);
            }
            Claim renewed = answer instanceof Ownership.Confirmed confirmed
                    ? claim.renewedUntil(sent + Deadlines.nanos(confirmed.leaseLeft()))
                    : claim;
            if (!renewed.leaseLeft().isZero()) {
                return CompletableFuture.completedFuture(new ClaimOutcome.Granted(renewed));
            }
            giveBack(claim);
            return CompletableFuture.completedFuture(new ClaimOutcome.Unavailable(
                    LAPSED, answer instanceof Ownership.Unavailable unavailable ? unavailable.cause() : null));
        });
    }

    /** @param asked the reference that this claim answers for */
    private CompletableFuture<ClaimOutcome> answerOrTakeOver(
            Request request, ClaimRef asked, Snapshot seen, int roundsLeft) {
        Decision decision = Decision.about(seen, request.fingerprint());
        if (decision instanceof Decision.TakeOver takeOver) {
            return acquire(request, takeOver(request, seen), takeOver.origin(), roundsLeft - 1);
        }
        ClaimOutcome outcome = ((Decision.Answer) decision).outcome();
        boolean settled = outcome instanceof ClaimOutcome.Succeeded || outcome instanceof ClaimOutcome.Failed;
        if (settled && seen.resultOmitted()) {
            return request.many()
                    ? CompletableFuture.completedFuture(outcome)
                    : askAlone(request, asked, seen, roundsLeft);
        }
        if (settled) {
            // As if it had been read when the question left, which was before.
            Duration left = seen.ttlLeft() == null ? null : seen.ttlLeft().minus(request.age());
            replays.keep(request.epoch(), asked, seen.fingerprint(), seen.status(), seen.result(), left);
        }
        return CompletableFuture.completedFuture(outcome);
    }

    /** For a result that was left out because others were asked for too. */
    private CompletableFuture<ClaimOutcome> askAlone(Request request, ClaimRef asked, Snapshot seen, int roundsLeft) {
        if (roundsLeft == 0) {
            return CompletableFuture.completedFuture(keptChanging());
        }
        return request.place()
                .heldUntil(omittedResults.read(seen, request.timeLeft()))
                .thenCompose(found -> found.isPresent()
                        ? answerOrTakeOver(request, asked, found.get(), roundsLeft - 1)
                        : acquire(request, insert(request), Claim.Origin.FIRST, roundsLeft - 1));
    }

    private static Command insert(Request request) {
        // Made here, on the caller's thread, and not by the lane that many callers wait for.
        request.fingerprint().sketch();
        return new Command.Insert(
                request.names().ref(),
                request.scope(),
                request.names().first().secretId(),
                OwnerToken.random(),
                RecordId.random(),
                request.fingerprint(),
                request.terms(),
                request.names().freshAliases());
    }

    /** Of the record, wherever an alias led to it. */
    private static Command takeOver(Request request, Snapshot seen) {
        return new Command.TakeOver(
                seen.ref(),
                seen.token(),
                OwnerToken.random(),
                RecordId.random(),
                request.fingerprint(),
                request.terms());
    }

    /**
     * The answer to a command that acquires. If it comes too late to be used, or the command's fate is not known in
     * time, the claim is given back at once: nothing has run, and nobody should have to wait for the lease to end.
     */
    private CompletableFuture<Verdict> answer(
            CompletableFuture<Verdict> sent,
            Sending<?> sending,
            Command command,
            Claim.Origin origin,
            Request request) {
        // Not before the command is taken back: what leaves after its caller was answered would run for nobody.
        Duration bound = Collections.max(List.of(request.timeLeft(), sending.timeLeft()));
        CompletableFuture<Verdict> answer =
                gateway.answeredWithin(bound, request.place().heldUntil(sent));
        // Entered now: by the time that this is called, the claim itself may have left its place already.
        request.place().enter();
        answer.whenComplete((told, failure) -> {
            if (failure == null) {
                request.place().leave();
                return;
            }
            sent.whenComplete((verdict, unknown) -> {
                if (verdict instanceof Verdict.Applied
                        || verdict instanceof Verdict.Errored
                        || (unknown != null && sending.mayHaveTakenEffect())) {
                    sendBack(command.ref(), command.token(), origin, request.terms())
                            .whenComplete((given, silent) -> request.place().leave());
                } else {
                    request.place().leave();
                }
            });
        });
        return answer;
    }

    /** Gives back a claim that was granted and whose work was not begun. The attempt does not count. */
    CompletableFuture<Ownership> giveBack(Claim claim) {
        return owned(sendBack(claim.ref(), claim.token(), claim.origin(), claim.terms()), storeTimeout);
    }

    /**
     * Nothing ran in this attempt; but an earlier one whose owner disappeared may have had its effect. The attempt to give
     * back goes on while the lease may last: until it is given back, nobody else can have the claim.
     */
    private Sending<Verdict> sendBack(ClaimRef ref, OwnerToken token, Claim.Origin origin, Terms terms) {
        StalePolicy policy = switch (origin) {
            case FIRST, RETRY -> null;
            case LAPSED -> StalePolicy.RERUN;
            case RECONCILE -> StalePolicy.RECONCILE;
        };
        Command command = new Command.GiveBack(ref, token, OwnerToken.random(), policy);
        return gateway.submit(command, atLeastStoreTimeout(terms.lease()), null);
    }

    private Duration atLeastStoreTimeout(Duration wanted) {
        return wanted.compareTo(storeTimeout) > 0 ? wanted : storeTimeout;
    }

    /** Point 7. The answer comes within the store's time-out; the attempt goes on while the lease may last. */
    CompletableFuture<Ownership> settle(
            ClaimRef ref,
            OwnerToken token,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason,
            Duration keepTrying,
            @Nullable Thread caller) {
        Duration trying = atLeastStoreTimeout(keepTrying);
        CompletableFuture<Verdict> sent =
                gateway.submit(new Command.Settle(ref, token, status, result, reason), trying, caller);
        if (result == null) {
            return owned(sent, storeTimeout);
        }
        // On the attempt itself, not on its bounded answer: a rejection that comes late must not lead to a second run.
        CompletableFuture<Verdict> settled = sent.exceptionallyCompose(failure -> rejected(failure)
                ? gateway.submit(new Command.Settle(ref, token, status, TOO_MUCH, reason), trying, null)
                : CompletableFuture.failedFuture(failure));
        return owned(settled, storeTimeout);
    }

    private static boolean rejected(Throwable failure) {
        return Futures.unwrapped(failure) instanceof StoreException known
                && known.kind() == StoreException.Kind.REJECTED;
    }

    /** Gives up within a third of the lease, so that there is time for another try before it ends. */
    CompletableFuture<Ownership> renew(ClaimRef ref, OwnerToken token, Duration lease) {
        Duration third = lease.dividedBy(3);
        Duration bound = third.isZero() || third.compareTo(storeTimeout) > 0 ? storeTimeout : third;
        return owned(gateway.submit(new Command.Renew(ref, token, lease), bound, null), bound);
    }

    /** Whether this token still owns the claim, by the store's clock. */
    CompletableFuture<Boolean> stillOwns(ClaimRef ref, OwnerToken token) {
        return gateway.answeredWithin(storeTimeout, gateway.read(ref, storeTimeout, null))
                .thenApply(found -> found.filter(claim -> claim.token().equals(token)
                                && !claim.leaseLeft().isZero())
                        .isPresent())
                .exceptionally(unknown -> false);
    }

    /** The claim that answers for these names, as a caller with aliases would meet it; fails if the store does not answer. */
    CompletableFuture<Optional<Snapshot>> find(ClaimDigests names) {
        List<CompletableFuture<Optional<Snapshot>>> reads = names.refs().stream()
                .map(ref -> gateway.answeredWithin(storeTimeout, gateway.read(ref, storeTimeout, null)))
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenApply(done -> reads.stream()
                        .map(CompletableFuture::join)
                        .flatMap(Optional::stream)
                        .filter(claim -> !claim.absent())
                        .min(AliasPlan.BY_DECISIVENESS.thenComparing(Snapshot::ref)))
                .thenCompose(found -> found.isPresent() && found.get().resultOmitted()
                        ? omittedResults
                                .read(found.get(), storeTimeout)
                                .thenApply(whole -> whole.filter(claim -> !claim.absent()))
                        : CompletableFuture.completedFuture(found));
    }

    /** What is left of the lease if somebody else still runs it, and nothing if not; fails if the store does not answer. */
    CompletableFuture<Optional<Duration>> stillInProgress(ClaimRef ref) {
        return gateway.answeredWithin(storeTimeout, gateway.read(ref, storeTimeout, null))
                .thenApply(found -> found.filter(claim -> claim.status() == Status.IN_PROGRESS && !claim.lapsed())
                        .map(Snapshot::leaseLeft));
    }

    private CompletableFuture<Ownership> owned(CompletableFuture<Verdict> sent, Duration bound) {
        return gateway.answeredWithin(bound, sent).handle((verdict, failure) -> {
            if (failure != null) {
                Throwable cause = Futures.unwrapped(failure);
                return new Ownership.Unavailable(messageOf(cause), cause);
            }
            if (verdict instanceof Verdict.Applied applied) {
                return new Ownership.Confirmed(applied.leaseLeft());
            }
            return new Ownership.Lost(whyLost(((Verdict.Refused) verdict).claim()));
        });
    }

    private static String whyLost(@Nullable Snapshot claim) {
        if (claim == null) {
            return "the claim is gone";
        }
        return claim.status() == Status.IN_PROGRESS
                ? "another attempt (%d) owns the claim".formatted(claim.attempt())
                : "the claim is %s".formatted(claim.status());
    }

    private static ClaimOutcome unavailable(Throwable cause) {
        return new ClaimOutcome.Unavailable(messageOf(cause), cause);
    }

    static Awaited silent(Throwable cause) {
        return new Awaited.Unavailable(messageOf(cause), cause);
    }

    private static String messageOf(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof StoreException && message != null ? message : cause.toString();
    }

    /** One of many claims, and where its outcome goes. */
    private record Slot(
            ClaimDigests names, ClaimRequest wanted, Runnable onConflict, CompletableFuture<ClaimOutcome> outcome) {
        Slot(ClaimDigests names, ClaimRequest wanted, Runnable onConflict) {
            this(names, wanted, onConflict, new CompletableFuture<>());
        }

        boolean plain() {
            return names.others().isEmpty();
        }
    }

    /**
     * What is wanted, and until when: the bound is on the whole claim, however many rounds it takes.
     *
     * @param many whether it is one of many, whose results may be left out
     */
    private record Request(
            ClaimDigests names,
            String scope,
            Fingerprint fingerprint,
            Terms terms,
            Runnable onConflict,
            boolean many,
            EpochGuardedCache.@Nullable Epoch epoch,
            long start,
            long deadline,
            Place place,
            @Nullable Thread caller) {
        Duration age() {
            return Duration.ofNanos(System.nanoTime() - start);
        }

        Duration timeLeft() {
            return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        }
    }

    /**
     * A claim's place among those that may be under way. It is taken for as long as anything of the claim is there: its
     * caller, a command that waits or has left, and the giving back of what came too late.
     */
    private static final class Place {
        private final AtomicInteger underWay;
        private final AtomicInteger held = new AtomicInteger(1);

        Place(AtomicInteger underWay) {
            this.underWay = underWay;
        }

        void enter() {
            held.incrementAndGet();
        }

        void leave() {
            if (held.decrementAndGet() == 0) {
                underWay.decrementAndGet();
            }
        }

        /** The same, once the place is not needed for it any more. */
        <R> CompletableFuture<R> heldUntil(CompletableFuture<R> end) {
            enter();
            return end.whenComplete((answer, failure) -> leave());
        }
    }
}
