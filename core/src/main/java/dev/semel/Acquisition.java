// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.internal.Futures;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
import dev.semel.replay.EpochGuardedCache;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Points 3 to 5 of the protocol for one call: insert, decide about the claim that exists, take it over if it may be taken.
 * The store timeout bounds the whole acquisition, however many rounds it takes.
 */
final class Acquisition {
    /** How often a claim is tried again if the row it met has disappeared or changed in the meantime. */
    private static final int ROUNDS = 8;

    /** Why a claim that was granted does not start. */
    static final String LAPSED = "the lease ended before the work could start; nothing ran";

    private final Engine engine;
    private final ClaimCall call;
    private final ClaimLimit.Place place;
    private final EpochGuardedCache.@Nullable Epoch epoch;
    private final long start;
    private final long deadline;

    Acquisition(Engine engine, ClaimCall call, ClaimLimit.Place place) {
        this.engine = engine;
        this.call = call;
        this.place = place;
        this.epoch = engine.cache().epoch();
        this.start = engine.environment().nanoTime();
        this.deadline = start + Deadlines.nanos(engine.storeTimeout());
    }

    /** The parts of the engine that acquisitions share. */
    record Engine(
            StoreGateway gateway,
            Duration storeTimeout,
            CachedOutcomes cache,
            OwnerCommands owners,
            OmittedResults omittedResults,
            Events events,
            DuplicateShare duplicates) {
        Engine(
                StoreGateway gateway,
                Duration storeTimeout,
                CachedOutcomes cache,
                OwnerCommands owners,
                OmittedResults omittedResults,
                Events events) {
            this(gateway, storeTimeout, cache, owners, omittedResults, events, new DuplicateShare());
        }

        Environment environment() {
            return gateway.environment();
        }
    }

    /** Acquires in a call of its own. Never fails: a failure is an outcome. */
    CompletableFuture<ClaimOutcome> alone() {
        // Only an insert links new digests to an existing record.
        boolean readFirst =
                engine.duplicates().high() && call.digests().others().isEmpty();
        return ended(readFirst ? readFirst() : acquire(insert(), Claim.Origin.FIRST, ROUNDS));
    }

    /**
     * Acquires by an insert that was sent together with others. Never fails: a failure is an outcome.
     *
     * @param insert this call's insert, from {@link #insert}
     * @param own the verdict on it
     * @param all the call that sends all inserts
     */
    CompletableFuture<ClaimOutcome> together(Command insert, CompletableFuture<Verdict> own, RetriedCall<?> all) {
        CompletableFuture<Verdict> answer = answer(own, all, insert, Claim.Origin.FIRST);
        return ended(acquired(insert, Claim.Origin.FIRST, ROUNDS, answer, all));
    }

    /** The command that claims a free key. */
    Command insert() {
        // The sketch is computed here, on the caller's thread, and not in the lane that many callers wait for.
        call.fingerprint().sketch();
        return new Command.Insert(
                call.ref(),
                call.scope(),
                call.digests().first().secretId(),
                freshToken(),
                freshRecord(),
                call.fingerprint(),
                call.terms(),
                call.digests().freshAliases(engine.environment()));
    }

    /** The command that takes over the record that was seen, even if an alias led to it. */
    private Command takeOver(Snapshot seen) {
        // Not in the lane, as above.
        call.fingerprint().sketch();
        return new Command.TakeOver(
                seen.ref(),
                seen.token(),
                freshToken(),
                seen.absent() ? freshRecord() : null,
                call.fingerprint(),
                call.terms());
    }

    private OwnerToken freshToken() {
        return new OwnerToken(engine.environment().randomBytes(OwnerToken.LENGTH));
    }

    private RecordId freshRecord() {
        return new RecordId(engine.environment().randomBytes(RecordId.LENGTH));
    }

    private CompletableFuture<ClaimOutcome> ended(CompletableFuture<ClaimOutcome> claim) {
        return claim.handle((outcome, failure) -> {
            place.leave();
            return failure == null ? outcome : unavailable(Futures.unwrapped(failure));
        });
    }

    static ClaimOutcome unavailable(Throwable cause) {
        return new ClaimOutcome.Unavailable(StoreGateway.messageOf(cause), cause);
    }

    private static ClaimOutcome keptChanging() {
        return new ClaimOutcome.Unavailable("the claim's owner changed repeatedly while it was read", null);
    }

    /** A read instead of an insert that would probably lose. */
    private CompletableFuture<ClaimOutcome> readFirst() {
        Duration bound = timeLeft();
        RetriedCall<Optional<Snapshot>> read = engine.gateway().read(call.ref(), bound, call.caller());
        return engine.gateway()
                .answeredWithin(bound, place.heldUntil(read), read)
                .thenCompose(found -> {
                    engine.duplicates().note(found.isPresent());
                    return found.isPresent()
                            ? answerOrTakeOver(call.ref(), found.get(), ROUNDS)
                            : acquire(insert(), Claim.Origin.FIRST, ROUNDS - 1);
                });
    }

    private CompletableFuture<ClaimOutcome> acquire(Command command, Claim.Origin origin, int roundsLeft) {
        if (roundsLeft == 0) {
            return CompletableFuture.completedFuture(keptChanging());
        }
        Duration left = timeLeft();
        if (left.isZero() && call.caller() == null) {
            return CompletableFuture.failedFuture(StoreGateway.late());
        }
        // Zero would mean no limit. A caller that is late may still make the call itself, but not queue for it.
        Duration trying = left.isZero() ? Duration.ofNanos(1) : left;
        RetriedCall<Verdict> retried = engine.gateway().submit(command, trying, call.caller());
        return acquired(command, origin, roundsLeft, answer(retried, retried, command, origin), retried);
    }

    private CompletableFuture<ClaimOutcome> acquired(
            Command command,
            Claim.Origin origin,
            int roundsLeft,
            CompletableFuture<Verdict> answer,
            RetriedCall<?> retried) {
        return answer.thenCompose(verdict -> {
            if (roundsLeft == ROUNDS) {
                engine.duplicates().note(verdict instanceof Verdict.Refused);
            }
            if (verdict instanceof Verdict.Applied applied) {
                return granted(
                        Claim.of(applied, call.scope(), command.token(), origin, call.terms(), retried.sent()),
                        roundsLeft);
            }
            if (verdict instanceof Verdict.Errored) {
                // The command failed among others. Try it again alone.
                return acquire(command, origin, roundsLeft - 1);
            }
            Verdict.Refused refused = (Verdict.Refused) verdict;
            if (refused.conflict() != null) {
                engine.events().aliasConflict(call);
            }
            Snapshot seen = refused.claim();
            return seen == null
                    // The claim existed a moment ago and has been swept since. Claim the key anew.
                    ? acquire(insert(), Claim.Origin.FIRST, roundsLeft - 1)
                    // After a conflict, the claim that was seen does not answer for the reference that was asked for.
                    : answerOrTakeOver(refused.conflict() == null ? command.ref() : seen.ref(), seen, roundsLeft);
        });
    }

    /**
     * Renews a grant first if its answer took so long that the lease is nearly over. If another owner took the claim over in
     * the meantime, nothing may start, and the acquisition begins again.
     */
    private CompletableFuture<ClaimOutcome> granted(Claim claim, int roundsLeft) {
        if (Claim.lastsLongEnough(claim.terms(), claim.leaseLeft(engine.environment()))) {
            return CompletableFuture.completedFuture(new ClaimOutcome.Granted(claim));
        }
        long sent = engine.environment().nanoTime();
        return engine.owners()
                .renew(claim.ref(), claim.token(), claim.terms().lease())
                .thenCompose(answer -> {
                    if (answer instanceof Ownership.Lost) {
                        return acquire(insert(), Claim.Origin.FIRST, roundsLeft - 1);
                    }
                    Claim renewed = answer instanceof Ownership.Confirmed confirmed
                            ? claim.renewedUntil(sent + Deadlines.nanos(confirmed.leaseLeft()))
                            : claim;
                    if (!renewed.leaseLeft(engine.environment()).isZero()) {
                        return CompletableFuture.completedFuture(new ClaimOutcome.Granted(renewed));
                    }
                    engine.owners().giveBack(claim);
                    return CompletableFuture.completedFuture(new ClaimOutcome.Unavailable(
                            LAPSED, answer instanceof Ownership.Unavailable unavailable ? unavailable.cause() : null));
                });
    }

    /** @param asked the reference that the claim answers for */
    private CompletableFuture<ClaimOutcome> answerOrTakeOver(ClaimRef asked, Snapshot seen, int roundsLeft) {
        Decision decision = Decision.about(seen, call.fingerprint());
        if (decision instanceof Decision.TakeOver takeOver) {
            // A row of another name that expired after it was read says nothing about this call's own names.
            boolean own =
                    seen.ref().equals(call.ref()) && call.digests().others().isEmpty();
            return acquire(seen.absent() && !own ? insert() : takeOver(seen), takeOver.origin(), roundsLeft - 1);
        }
        ClaimOutcome outcome = ((Decision.Answer) decision).outcome();
        if (seen.status() == Status.SUCCEEDED || seen.status() == Status.FAILED) {
            // From the start of the acquisition, which is earlier than the read.
            call.answerHolds(start, seen.ttlLeft());
        }
        boolean settled = outcome instanceof ClaimOutcome.Succeeded || outcome instanceof ClaimOutcome.Failed;
        if (settled && seen.resultOmitted()) {
            return call.isOneOfMany()
                    ? CompletableFuture.completedFuture(outcome)
                    : readOmitted(asked, seen, roundsLeft);
        }
        if (settled) {
            // The age counts from the start of the acquisition, which is earlier than the read.
            Duration age = Duration.ofNanos(engine.environment().nanoTime() - start);
            Duration left = seen.ttlLeft() == null ? null : seen.ttlLeft().minus(age);
            engine.cache().keep(epoch, asked, seen.fingerprint(), seen.status(), seen.result(), left);
        }
        return CompletableFuture.completedFuture(outcome);
    }

    /** Reads a result that the store omitted because it was asked for others at the same time. */
    private CompletableFuture<ClaimOutcome> readOmitted(ClaimRef asked, Snapshot seen, int roundsLeft) {
        if (roundsLeft == 0) {
            return CompletableFuture.completedFuture(keptChanging());
        }
        return place.heldUntil(engine.omittedResults().read(seen, timeLeft()))
                .thenCompose(found -> found.isPresent()
                        ? answerOrTakeOver(asked, found.get(), roundsLeft - 1)
                        : acquire(insert(), Claim.Origin.FIRST, roundsLeft - 1));
    }

    /**
     * The answer to a command that acquires. If it arrives too late to be used, or the effect of the command is not known in
     * time, the claim is given back at once. Nothing has run, so no caller should have to wait for the lease to end.
     */
    private CompletableFuture<Verdict> answer(
            CompletableFuture<Verdict> sent, RetriedCall<?> retried, Command command, Claim.Origin origin) {
        // Not before the command is withdrawn: it must not be sent after its caller was answered.
        Duration bound = Collections.max(List.of(timeLeft(), retried.timeLeft()));
        CompletableFuture<Verdict> answer = engine.gateway().answeredWithin(bound, place.heldUntil(sent), retried);
        // Entered now, because the acquisition may have left its place before the callback runs.
        place.enter();
        answer.whenComplete((verdict, failure) -> {
            if (failure == null) {
                place.leave();
            } else {
                sent.whenComplete((late, unknown) -> {
                    if (late instanceof Verdict.Applied
                            || late instanceof Verdict.Errored
                            || (unknown != null && retried.mayHaveTakenEffect())) {
                        engine.owners()
                                .sendBack(command.ref(), command.token(), origin, call.terms())
                                .whenComplete((given, silent) -> place.leave());
                    } else {
                        place.leave();
                    }
                });
            }
        });
        return answer;
    }

    private Duration timeLeft() {
        return Duration.ofNanos(Math.max(0, deadline - engine.environment().nanoTime()));
    }
}
