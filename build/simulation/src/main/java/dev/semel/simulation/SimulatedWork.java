// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.Claim;
import dev.semel.FailureClass;
import dev.semel.Ownership;
import dev.semel.RunContext;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.simulation.history.HistoryEvent.Ended;
import dev.semel.simulation.history.HistoryEvent.Ending;
import dev.semel.simulation.history.HistoryEvent.Ran;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Work that takes a random time and ends in a random way. Its effect happens when it ends. */
final class SimulatedWork {
    private final Scheduler scheduler;
    private final History history;
    private final Network network;
    private final Dice dice;
    private final Effects effects;
    private final Supplier<List<SimulatedProcess>> running;

    /** @param running the processes that can settle work which runs outside the engine */
    SimulatedWork(
            Scheduler scheduler,
            History history,
            Network network,
            Dice dice,
            Effects effects,
            Supplier<List<SimulatedProcess>> running) {
        this.scheduler = scheduler;
        this.history = history;
        this.network = network;
        this.dice = dice;
        this.effects = effects;
        this.running = running;
    }

    /** The longest time that work takes, in nanoseconds. */
    static long longest(long lease) {
        return 5 * lease;
    }

    private long duration(long lease) {
        if (!network.isFaulty() || dice.chance(0.7)) {
            return dice.spread(100_000, 50_000_000);
        }
        return dice.chance(0.6) ? dice.between(0, lease + lease / 2) : dice.between(lease, longest(lease));
    }

    private Ending ending() {
        if (!network.isFaulty()) {
            return Ending.SUCCEEDED;
        }
        int chosen = dice.between(0, 20);
        if (chosen < 13) {
            return Ending.SUCCEEDED;
        }
        return chosen < 15
                ? Ending.REJECTED
                : chosen < 16 ? Ending.FAILED : chosen < 19 ? Ending.RETRYABLE : Ending.UNKNOWN;
    }

    /** Work that the engine runs. */
    CompletionStage<byte[]> start(SimulatedProcess process, Subject subject, long call, RunContext context) {
        String record = context.childKey("history");
        long fence = context.fence();
        if (context.attempt() > subject.attemptCap()) {
            history.defect("AttemptCap: work began as attempt " + context.attempt());
        }
        history.add(new Ran(history.now(), process.name(), call, record, fence));
        CompletableFuture<byte[]> done = new CompletableFuture<>();
        Ending ending = ending();
        long run = history.newRun();
        if (ending == Ending.REJECTED) {
            context.reject("REJECTED_" + run, "x".repeat(dice.between(0, 50)));
        }
        scheduler.after(duration(subject.operation().terms().lease().toNanos()), process, () -> {
            byte[] result = effects.result(run);
            ended(process, subject, call, record, fence, ending, run, result);
            switch (ending) {
                case SUCCEEDED, REJECTED -> done.complete(result);
                case FAILED -> done.completeExceptionally(new SimulatedFailure("failed " + run, FailureClass.FINAL));
                case RETRYABLE ->
                    done.completeExceptionally(new SimulatedFailure("failed " + run, FailureClass.RETRYABLE));
                case UNKNOWN -> done.completeExceptionally(new SimulatedFailure("failed " + run, FailureClass.UNKNOWN));
            }
        });
        return done;
    }

    private void ended(
            SimulatedProcess process,
            Subject subject,
            long call,
            String record,
            long fence,
            Ending ending,
            long run,
            byte[] result) {
        String value = switch (ending) {
            case SUCCEEDED -> effects.describe(subject, result);
            case REJECTED -> "REJECTED_" + run;
            default -> "failed " + run;
        };
        if (ending == Ending.SUCCEEDED) {
            effects.happened(record, result);
        }
        history.add(new Ended(history.now(), process.name(), call, record, fence, ending, value));
    }

    /** Work whose caller claimed, runs and settles it itself. Now and then the caller gives the claim back instead. */
    void runElsewhere(SimulatedProcess process, Subject subject, long call, Claim claim) {
        long left = claim.leaseEnd() - process.environment().nanoTime();
        if (left <= 0 || dice.chance(0.15)) {
            process.engine().giveBack(claim);
            return;
        }
        if (claim.origin() == Claim.Origin.RECONCILE) {
            // Nobody asks the probe outside the engine, so a person decides.
            process.engine().settle(claim, Status.UNKNOWN, null, "not reconciled");
            return;
        }
        String record = claim.childKey("history");
        history.add(new Ran(history.now(), process.name(), call, record, claim.fence()));
        long run = history.newRun();
        long lease = subject.operation().terms().lease().toNanos();
        long end = history.now() + duration(lease);
        Renewals renewals = new Renewals(process, claim, lease);
        renewals.next();
        scheduler.after(end - history.now(), process, () -> {
            renewals.stopped = true;
            byte[] result = effects.result(run);
            Ending drawn = ending();
            Ending ending = drawn == Ending.REJECTED ? Ending.SUCCEEDED : drawn;
            ended(process, subject, call, record, claim.fence(), ending, run, result);
            settle(process, claim, ending, run, result);
        });
    }

    /** By the reference, often in another process. */
    private void settle(SimulatedProcess owner, Claim claim, Ending ending, long run, byte[] result) {
        List<SimulatedProcess> others = running.get();
        SimulatedProcess process = dice.chance(0.5) || others.isEmpty() ? owner : dice.oneOf(others);
        StoredResult stored = switch (ending) {
            case SUCCEEDED -> new StoredResult("application/octet-stream", result);
            case FAILED -> new StoredResult("text/plain", ("failed " + run).getBytes(StandardCharsets.UTF_8));
            default -> null;
        };
        Status status = ending == Ending.REJECTED ? Status.FAILED : Status.valueOf(ending.name());
        CompletionStage<Ownership> settled =
                process.engine().settle(claim.ref(), claim.token(), status, stored, "run elsewhere");
        if (dice.chance(0.1)) {
            // A client that lost track says something else, which is refused.
            settled.thenAccept(first -> {
                if (first instanceof Ownership.Confirmed && status != Status.UNKNOWN) {
                    process.engine().settle(claim.ref(), claim.token(), Status.UNKNOWN, null, "not sure any more");
                }
            });
        } else if (dice.chance(0.2)) {
            // A client that got no answer sends the same settlement again.
            settled.thenRun(() -> process.engine().settle(claim.ref(), claim.token(), status, stored, "run elsewhere"));
        }
    }

    /** Renews a claim until its work ends. */
    private final class Renewals {
        private final SimulatedProcess process;
        private final Claim claim;
        private final long lease;
        private boolean stopped;

        Renewals(SimulatedProcess process, Claim claim, long lease) {
            this.process = process;
            this.claim = claim;
            this.lease = lease;
        }

        void next() {
            scheduler.after(lease / 3, process, () -> {
                if (!stopped) {
                    process.engine()
                            .renew(claim.ref(), claim.token(), claim.terms().lease());
                    next();
                }
            });
        }
    }
}
