// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.ClaimRef;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.util.ArrayList;
import java.util.List;

/**
 * One simulation. A seed decides about everything in it: processes, keys, callers, delays, faults.
 *
 * <ol>
 *   <li>For some virtual seconds, callers ask while calls to the store get lost and processes stop and crash.
 *   <li>The faults end, and everything that was in progress ends.
 *   <li>Every subject is asked for once more, and must get a final answer.
 *   <li>Nothing may be left to do.
 * </ol>
 */
public final class Simulation {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    /** How long it takes to start all processes again. */
    private static final long ROLL = SECOND / 2;

    private static final Secret FIRST = Secret.of("the first secret of all simulated processes");
    private static final Secret SECOND_SECRET = Secret.of("the second secret of all simulated processes");

    private final Scheduler scheduler = new Scheduler();
    private final StoreKind kind;
    private final long seed;
    private final Dice dice;
    private final Trace trace;
    private final History history;
    private final SimulationSettings settings;
    private final Network network;
    private final SharedStore store;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<Subject> subjects = new ArrayList<>();
    private final Callers callers;
    private final Operator operator;
    private Secrets secrets = Secrets.of(FIRST);
    private int started;

    private Simulation(StoreKind kind, long seed, boolean traced) {
        this.kind = kind;
        this.seed = seed;
        dice = new Dice(seed);
        trace = new Trace(scheduler, traced);
        history = new History(scheduler, trace, kind.clock());
        settings = SimulationSettings.of(kind, dice);
        network = new Network(scheduler, dice.split(), trace, settings.faultRate());
        store = kind == StoreKind.DYNAMODB
                ? new DynamoSharedStore(scheduler, history, network, dice.split(), settings)
                : new SimulatedStore.Shared(
                        scheduler, history, network, dice.split(), settings.largestResult(), seed % 2 != 0);
        Effects effects = new Effects(history, network, dice.split(), settings.largestResult());
        SimulatedWork work = new SimulatedWork(scheduler, history, network, dice.split(), effects, this::running);
        callers = new Callers(history, settings, dice.split(), effects, work);
        operator = new Operator(store, history, dice.split(), effects);
        int count = dice.between(1, 5);
        for (int i = 0; i < count; i++) {
            subjects.add(new Subject(i, dice.split(), effects));
        }
    }

    /**
     * Runs the simulation of a seed.
     *
     * @param traced whether the report has a trace
     */
    public static SimulationReport run(StoreKind kind, long seed, boolean traced) {
        Simulation simulation = new Simulation(kind, seed, traced);
        try {
            simulation.run();
        } catch (RuntimeException | Error e) {
            simulation.history.defect("an exception reached the scheduler: " + e);
            if (traced) {
                for (StackTraceElement element : e.getStackTrace()) {
                    simulation.trace.line("-", "    %s", element);
                }
            }
        }
        return new SimulationReport(
                kind,
                seed,
                simulation.history.end(),
                simulation.trace.lines(),
                simulation.history.calls(),
                simulation.history.runs());
    }

    private void run() {
        trace.line("-", "seed %d: %s %s", seed, settings, store);
        for (int i = 0; i < settings.processes(); i++) {
            start(i);
        }
        // Half of them are long enough for results to expire.
        long faultsEnd =
                dice.chance(0.5) ? dice.between(2 * SECOND, 10 * SECOND) : dice.between(10 * SECOND, 40 * SECOND);
        plan(faultsEnd);
        scheduler.runUntil(faultsEnd);
        trace.line("-", "the faults end");
        network.heal();
        for (int i = 0; i < processes.size(); i++) {
            if (processes.get(i).isDead()) {
                start(i);
            }
        }
        // Longer than any work, any silence and any lease.
        scheduler.runUntil(faultsEnd + 45 * SECOND);
        trace.line("-", "everything must settle");
        for (Subject subject : subjects) {
            SimulatedProcess process = dice.oneOf(processes);
            callers.settle(
                    process,
                    subject,
                    5,
                    parked -> operator.decide(
                            parked, process.engine().refOf(parked.keys().get(0))));
            // One after the other: some processes accept two claims at a time only.
            scheduler.runUntil(scheduler.now() + SECOND);
        }
        scheduler.runUntil(scheduler.now() + 90 * SECOND);
        processes.forEach(this::mustBecomeIdle);
    }

    /** Nothing is left to do but the next sweep. One may be in progress. */
    private void mustBecomeIdle(SimulatedProcess process) {
        long end = scheduler.now() + kind.longestSweep();
        while (scheduler.now() < end && !process.isIdle()) {
            scheduler.runUntil(scheduler.now() + 37 * MILLI);
        }
        if (!process.isIdle()) {
            history.defect(process.name() + " does not become idle");
        }
    }

    /** Everything that happens until the faults end. */
    private void plan(long end) {
        int asks = dice.between(5, 50);
        // In bursts, so that callers meet.
        long burst = 0;
        for (int i = 0; i < asks; i++) {
            if (burst == 0 || dice.chance(0.3)) {
                burst = dice.between(0, end);
            }
            long when = dice.chance(0.7) ? burst + dice.spread(1_000, 100 * MILLI) : dice.between(0, end);
            at(when, this::ask);
        }
        repeat(dice.oneOf(List.of(0, 0, 1, 3)), end, () -> network.outage(dice.spread(50 * MILLI, 3 * SECOND)));
        repeat(dice.oneOf(List.of(0, 1, 2, 4)), end, this::pauseOne);
        repeat(dice.oneOf(List.of(0, 0, 1, 2, 4)), end, this::crashOne);
        repeat(dice.oneOf(List.of(0, 0, 1, 3)), end, this::decideOne);
        repeat(dice.oneOf(List.of(0, 0, 0, 2)), end, this::forgetOne);
        if (settings.rotates()) {
            at(dice.between(0, end / 2 - ROLL), () -> rotate(Secrets.of(FIRST, SECOND_SECRET)));
            at(dice.between(end / 2, end), () -> rotate(Secrets.of(SECOND_SECRET, FIRST)));
        }
    }

    private void repeat(int times, long end, Runnable action) {
        for (int i = 0; i < times; i++) {
            at(dice.between(0, end), action);
        }
    }

    private void at(long when, Runnable action) {
        scheduler.after(when - scheduler.now(), null, action);
    }

    private void start(int index) {
        SimulatedProcess process = new SimulatedProcess(
                "p%d.%d".formatted(index + 1, ++started), scheduler, history, dice.split(), settings, network, store);
        if (index < processes.size()) {
            processes.set(index, process);
        } else {
            processes.add(process);
        }
        process.start(secrets, subjects);
        trace.line(process.name(), "starts");
    }

    private List<SimulatedProcess> running() {
        return processes.stream().filter(SimulatedProcess::isRunning).toList();
    }

    private void ask() {
        List<SimulatedProcess> running = running();
        if (!running.isEmpty()) {
            callers.ask(dice.oneOf(running), subjects);
        }
    }

    private void pauseOne() {
        List<SimulatedProcess> running = running();
        if (!running.isEmpty()) {
            dice.oneOf(running).pause(dice.spread(50 * MILLI, 6 * SECOND));
        }
    }

    private void crashOne() {
        int index = dice.between(0, processes.size());
        if (!processes.get(index).isDead()) {
            processes.get(index).crash();
            scheduler.after(dice.spread(10 * MILLI, 3 * SECOND), null, () -> {
                if (processes.get(index).isDead()) {
                    start(index);
                }
            });
        }
    }

    private void decideOne() {
        List<SimulatedProcess> running = running();
        if (!running.isEmpty()) {
            Subject subject = dice.oneOf(subjects);
            operator.decide(subject, refOf(dice.oneOf(running), subject));
        }
    }

    private void forgetOne() {
        List<SimulatedProcess> running = running();
        if (!running.isEmpty()) {
            Subject subject = dice.oneOf(subjects);
            operator.forget(subject, refOf(dice.oneOf(running), subject));
        }
    }

    private ClaimRef refOf(SimulatedProcess process, Subject subject) {
        return process.engine().refOf(dice.oneOf(subject.keys()));
    }

    /** Replaces the secrets of all processes, one after the other. Meanwhile some have the old ones and some the new ones. */
    private void rotate(Secrets fresh) {
        trace.line("-", "the secrets are now %s", fresh);
        secrets = fresh;
        for (int i = 0; i < processes.size(); i++) {
            int index = i;
            scheduler.after(dice.between(0, ROLL), null, () -> {
                if (!processes.get(index).isDead()) {
                    processes.get(index).crash();
                }
                start(index);
            });
        }
    }
}
