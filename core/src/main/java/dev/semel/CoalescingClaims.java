// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import dev.semel.internal.Futures;
import dev.semel.lane.Backoff;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Pauses;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Claims that wait for a running owner, holding neither a thread nor a connection. Equal claims of this process are one
 * {@link InFlightClaim}: one asks the store, and for an owner elsewhere one reads, ever less often, however many wait. Reports
 * the answer that each caller gets, and only that one.
 */
final class CoalescingClaims {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final ClaimProtocol claims;
    private final Replays replays;
    private final Pauses pauses;
    private final Events events;
    private final int maxWaiting;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ConcurrentHashMap<InFlightClaim.Key, InFlightClaim> flights = new ConcurrentHashMap<>();

    CoalescingClaims(ClaimProtocol claims, Replays replays, Pauses pauses, Events events, int maxWaiting) {
        this.claims = claims;
        this.replays = replays;
        this.pauses = pauses;
        this.events = events;
        this.maxWaiting = maxWaiting;
    }

    /** For work that runs elsewhere: what becomes of it, only the store knows. */
    CompletableFuture<ClaimOutcome> claim(
            ClaimDigests names, String scope, Fingerprint fingerprint, Terms terms, Duration patience) {
        return claim(new Wanted(
                names, scope, fingerprint, terms, deadline(patience), false, true, new CompletableFuture<>(), null));
    }

    /** Many at once, for work that runs elsewhere: what the cache does not know the store is asked in one call. */
    CompletableFuture<List<ClaimOutcome>> claimAll(List<ClaimDigests> names, List<ClaimRequest> requests) {
        List<CompletableFuture<Optional<ClaimOutcome>>> cached = new ArrayList<>();
        // A shared cache may have large results for all of them: what has no room is not held until the last is there.
        AtomicInteger room = new AtomicInteger(ClaimStore.MAX_RESULT_BYTES);
        for (int i = 0; i < requests.size(); i++) {
            cached.add(
                    names.get(i).others().isEmpty()
                            ? replays.find(names.get(i).ref(), requests.get(i).fingerprint())
                                    .thenApply(found -> found.map(outcome -> BoundedResults.within(room, outcome)))
                            : CompletableFuture.completedFuture(Optional.empty()));
        }
        return allOf(cached).thenCompose(known -> {
            List<Integer> open = IntStream.range(0, requests.size())
                    .filter(i -> known.get(i).isEmpty())
                    .boxed()
                    .toList();
            List<CompletableFuture<ClaimOutcome>> asked = claims.claimAll(
                    open.stream().map(names::get).toList(),
                    open.stream().map(requests::get).toList(),
                    conflict -> events.fire(
                            Kind.ALIAS_CONFLICT,
                            names.get(open.get(conflict)).ref(),
                            requests.get(open.get(conflict)).key().key().scope(),
                            0,
                            null));
            return allOf(asked).thenCompose(answers -> {
                List<ClaimOutcome> outcomes = new ArrayList<>();
                Iterator<ClaimOutcome> next = answers.iterator();
                for (int i = 0; i < requests.size(); i++) {
                    outcomes.add(known.get(i).orElseGet(next::next));
                    report(names.get(i).ref(), requests.get(i).key().key().scope(), outcomes.get(i));
                }
                return BoundedResults.of(claims, names, requests, outcomes);
            });
        });
    }

    static <R> CompletableFuture<List<R>> allOf(List<CompletableFuture<R>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
    }

    /**
     * For work that runs here. A caller that is granted the claim must report its end by {@link #ended}.
     *
     * @param abandoned complete once nobody waits for the answer any more; a wait for a running owner ends with it
     */
    CompletableFuture<ClaimOutcome> claimToRun(
            ClaimDigests names,
            String scope,
            Fingerprint fingerprint,
            Terms terms,
            Duration patience,
            CompletableFuture<@Nullable Void> abandoned,
            @Nullable Thread caller) {
        return claim(new Wanted(names, scope, fingerprint, terms, deadline(patience), true, true, abandoned, caller));
    }

    /** Waits for an owner, here or elsewhere, and only reads. Of those who wait for the same, one reads for all. */
    CompletableFuture<Awaited> await(ClaimDigests names, Fingerprint fingerprint, Duration patience) {
        return awaited(names, fingerprint, deadline(patience));
    }

    private CompletableFuture<Awaited> awaited(ClaimDigests names, Fingerprint fingerprint, long deadline) {
        return claims.find(names)
                .handle((found, silent) -> {
                    if (silent != null) {
                        return CompletableFuture.completedFuture(ClaimProtocol.silent(Futures.unwrapped(silent)));
                    }
                    Snapshot claim = found.orElse(null);
                    Awaited read = Awaited.of(claim, fingerprint);
                    return claim != null && read instanceof Awaited.Running running && deadline - System.nanoTime() > 0
                            ? awaitRunning(names, fingerprint, deadline, running, claim.ref())
                            : CompletableFuture.completedFuture(read);
                })
                .thenCompose(Function.identity());
    }

    /** Joins those of this process who wait for the same owner, or watches it for those who come. */
    private CompletableFuture<Awaited> awaitRunning(
            ClaimDigests names, Fingerprint fingerprint, long deadline, Awaited.Running running, ClaimRef record) {
        if (!admitted()) {
            return CompletableFuture.completedFuture(running);
        }
        InFlightClaim.Key key = new InFlightClaim.Key(names, fingerprint);
        InFlightClaim mine = new InFlightClaim();
        InFlightClaim there = flights.putIfAbsent(key, mine);
        InFlightClaim flight = there == null ? mine : there;
        flight.awaited();
        if (there == null) {
            mine.leaseLeft(running.leaseLeft());
            mine.isAt(record);
            mine.asked.complete(mine.inProgress());
            watch(key, mine, FIRST_PAUSE);
        }
        CompletableFuture<Awaited> answer = new CompletableFuture<>();
        CompletableFuture<Boolean> over = pauses.after(Math.max(0, deadline - System.nanoTime()));
        over.thenAccept(due -> {
            leave(flight);
            answer.complete(new Awaited.Running(flight.leaseLeft()));
        });
        flight.ended.thenAccept(ended -> {
            if (over.cancel(false)) {
                leave(flight);
                awaited(names, fingerprint, deadline).thenAccept(answer::complete);
            }
        });
        return answer;
    }

    /** Without following anybody, and without the cache: everybody runs in shadow mode. */
    CompletableFuture<ClaimOutcome> claimAlone(
            ClaimDigests names, String scope, Fingerprint fingerprint, Terms terms, @Nullable Thread caller) {
        return claim(new Wanted(
                names, scope, fingerprint, terms, System.nanoTime(), true, false, new CompletableFuture<>(), caller));
    }

    /** What was granted runs here from now on; should it lose its claim, those who follow have to ask for themselves. */
    void runs(ClaimDigests names, Fingerprint fingerprint, Run run) {
        InFlightClaim.Key key = new InFlightClaim.Key(names, fingerprint);
        InFlightClaim flight = flights.get(key);
        if (flight != null && flight.asked.isDone()) {
            flight.runs(run);
            run.whenLost(() -> land(key, flight, Optional.empty()));
        }
    }

    /** What was granted to be run here has ended, with an answer for those who follow or without one. */
    void ended(ClaimDigests names, Fingerprint fingerprint, Optional<ClaimOutcome> answer) {
        InFlightClaim.Key key = new InFlightClaim.Key(names, fingerprint);
        InFlightClaim flight = flights.get(key);
        if (flight != null && flight.asked.isDone()) {
            land(key, flight, answer);
        }
    }

    private CompletableFuture<ClaimOutcome> claim(Wanted wanted) {
        CompletableFuture<ClaimOutcome> answered = wanted.follows() ? cachedOrFollowed(wanted) : alone(wanted);
        return answered.thenApply(outcome -> {
            report(wanted.ref(), wanted.scope(), outcome);
            return outcome;
        });
    }

    private CompletableFuture<ClaimOutcome> cachedOrFollowed(Wanted wanted) {
        if (!wanted.names().others().isEmpty()) {
            // The store has to learn of every name, also where the answer is known.
            return leadOrFollow(wanted);
        }
        CompletableFuture<Optional<ClaimOutcome>> cached = replays.find(wanted.ref(), wanted.fingerprint());
        if (cached.isDone()) {
            return cached.join().map(CompletableFuture::completedFuture).orElseGet(() -> leadOrFollow(wanted));
        }
        return cached.thenCompose(
                found -> found.map(CompletableFuture::completedFuture).orElseGet(() -> leadOrFollow(wanted)));
    }

    private CompletableFuture<ClaimOutcome> leadOrFollow(Wanted wanted) {
        InFlightClaim mine = new InFlightClaim();
        InFlightClaim first = flights.putIfAbsent(wanted.key(), mine);
        if (first == null) {
            return lead(wanted, mine);
        }
        // After the lease it is anybody's turn: the store decides.
        return first.lapsed() ? alone(wanted) : follow(wanted, first);
    }

    private CompletableFuture<ClaimOutcome> alone(Wanted wanted) {
        return ask(wanted).thenCompose(outcome -> {
            if (outcome instanceof ClaimOutcome.InProgress running && admitted(wanted)) {
                InFlightClaim own = new InFlightClaim();
                own.leaseLeft(running.leaseLeft());
                own.awaited();
                watch(wanted.key(), own, FIRST_PAUSE);
                return await(wanted, own);
            }
            return CompletableFuture.completedFuture(outcome);
        });
    }

    private CompletableFuture<ClaimOutcome> ask(Wanted wanted) {
        return claims.claim(
                wanted.names(),
                wanted.scope(),
                wanted.fingerprint(),
                wanted.terms(),
                () -> reportConflict(wanted),
                wanted.caller());
    }

    private CompletableFuture<ClaimOutcome> lead(Wanted wanted, InFlightClaim mine) {
        return ask(wanted).thenCompose(outcome -> {
            if (outcome instanceof ClaimOutcome.Granted granted) {
                mine.leaseLeft(granted.claim().leaseLeft());
                mine.asked.complete(outcome);
                if (!wanted.runsHere()) {
                    land(wanted.key(), mine, Optional.empty());
                }
                return CompletableFuture.completedFuture(outcome);
            }
            if (outcome instanceof ClaimOutcome.InProgress running) {
                mine.leaseLeft(running.leaseLeft());
                boolean waits = admitted(wanted);
                if (waits) {
                    mine.awaited();
                }
                mine.asked.complete(outcome);
                watch(wanted.key(), mine, FIRST_PAUSE);
                return waits ? await(wanted, mine) : CompletableFuture.completedFuture(outcome);
            }
            mine.asked.complete(outcome);
            land(wanted.key(), mine, Optional.of(outcome));
            return CompletableFuture.completedFuture(outcome);
        });
    }

    private CompletableFuture<ClaimOutcome> follow(Wanted wanted, InFlightClaim flight) {
        if (admitted(wanted)) {
            flight.awaited();
            return await(wanted, flight);
        }
        return flight.asked.thenApply(
                outcome -> outcome instanceof ClaimOutcome.Granted || outcome instanceof ClaimOutcome.InProgress
                        ? flight.inProgress()
                        : outcome);
    }

    /** Whether it shall wait. If too many wait already, it is told what there is to tell now. */
    private boolean admitted(Wanted wanted) {
        return wanted.patient() && admitted();
    }

    private boolean admitted() {
        if (waiting.incrementAndGet() <= maxWaiting) {
            return true;
        }
        waiting.decrementAndGet();
        return false;
    }

    /** The flight's answer, or one's own if it has none, or that it is in progress once one's time is over. Admitted before. */
    private CompletableFuture<ClaimOutcome> await(Wanted wanted, InFlightClaim flight) {
        CompletableFuture<ClaimOutcome> answer = new CompletableFuture<>();
        CompletableFuture<Boolean> patience = pauses.after(Math.max(0, wanted.deadline() - System.nanoTime()));
        patience.thenAccept(over -> {
            leave(flight);
            answer.complete(flight.inProgress());
        });
        wanted.abandoned().thenRun(() -> patience.complete(true));
        flight.ended.thenAccept(ended -> {
            // Either the one or the other: whoever has been told already must not be granted anything.
            if (!patience.cancel(false)) {
                return;
            }
            leave(flight);
            if (ended.isPresent()) {
                answer.complete(ended.get());
            } else {
                leadOrFollow(wanted).thenAccept(answer::complete);
            }
        });
        return answer;
    }

    private void leave(InFlightClaim flight) {
        flight.left();
        waiting.decrementAndGet();
    }

    /** Reads whether an owner elsewhere still runs it, for as long as anybody here waits for that. */
    private void watch(InFlightClaim.Key key, InFlightClaim flight, Duration pause) {
        if (!flight.isAwaited()) {
            land(key, flight, Optional.empty());
            return;
        }
        long jittered = Backoff.jittered(pause.toNanos());
        Duration doubled = pause.multipliedBy(2);
        Duration next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        pauses.after(jittered).thenAccept(due -> {
            if (due) {
                look(key, flight, next);
            } else {
                land(key, flight, Optional.of(flight.inProgress()));
            }
        });
    }

    private void look(InFlightClaim.Key key, InFlightClaim flight, Duration pause) {
        claims.stillInProgress(flight.watched(key)).whenComplete((left, silent) -> {
            // A store that does not answer is no news about the owner: go on waiting.
            if (silent == null && left.isEmpty()) {
                land(key, flight, Optional.empty());
            } else {
                if (silent == null) {
                    flight.leaseLeft(left.get());
                }
                watch(key, flight, pause);
            }
        });
    }

    private void land(InFlightClaim.Key key, InFlightClaim flight, Optional<ClaimOutcome> answer) {
        // First out of the way, so that whoever asks again does not follow it once more.
        flights.remove(key, flight);
        flight.ended.complete(answer);
    }

    private static long deadline(Duration patience) {
        return System.nanoTime() + Deadlines.nanos(patience);
    }

    /** Once, however many rounds a claim takes. */
    private void reportConflict(Wanted wanted) {
        if (wanted.conflictTold().compareAndSet(false, true)) {
            events.fire(Kind.ALIAS_CONFLICT, wanted.ref(), wanted.scope(), 0, null);
        }
    }

    private void report(ClaimRef ref, String scope, ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Granted granted) {
            events.fire(grantedAs(granted.claim().origin()), granted.claim(), null);
            return;
        }
        Throwable cause = outcome instanceof ClaimOutcome.Unavailable unavailable ? unavailable.cause() : null;
        events.fire(answeredAs(outcome), ref, scope, 0, cause);
    }

    private static Kind grantedAs(Claim.Origin origin) {
        return switch (origin) {
            case FIRST -> Kind.GRANTED;
            case RETRY -> Kind.RETRIED;
            case LAPSED, RECONCILE -> Kind.TAKEN_OVER;
        };
    }

    private static Kind answeredAs(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Succeeded) {
            return Kind.REPLAYED;
        }
        if (outcome instanceof ClaimOutcome.Failed) {
            return Kind.FAILURE_REPLAYED;
        }
        if (outcome instanceof ClaimOutcome.InProgress) {
            return Kind.IN_PROGRESS;
        }
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return Kind.MISMATCH;
        }
        return outcome instanceof ClaimOutcome.Unknown ? Kind.UNKNOWN : Kind.UNAVAILABLE;
    }

    /**
     * @param runsHere whether this process will know when what is granted has ended
     * @param follows whether another's answer will do
     * @param abandoned complete once nobody waits for the answer any more
     * @param caller the thread that only waits for the answer, if there is one
     */
    private record Wanted(
            ClaimDigests names,
            String scope,
            Fingerprint fingerprint,
            Terms terms,
            long deadline,
            boolean runsHere,
            boolean follows,
            CompletableFuture<@Nullable Void> abandoned,
            AtomicBoolean conflictTold,
            @Nullable Thread caller) {
        Wanted(
                ClaimDigests names,
                String scope,
                Fingerprint fingerprint,
                Terms terms,
                long deadline,
                boolean runsHere,
                boolean follows,
                CompletableFuture<@Nullable Void> abandoned,
                @Nullable Thread caller) {
            this(names, scope, fingerprint, terms, deadline, runsHere, follows, abandoned, new AtomicBoolean(), caller);
        }

        ClaimRef ref() {
            return names.ref();
        }

        InFlightClaim.Key key() {
            return new InFlightClaim.Key(names, fingerprint);
        }

        boolean patient() {
            return deadline - System.nanoTime() > 0 && !abandoned.isDone();
        }
    }
}
