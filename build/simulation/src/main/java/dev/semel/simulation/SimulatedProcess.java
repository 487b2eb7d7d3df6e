// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.ClaimEvent;
import dev.semel.Semel;
import dev.semel.SimulatedEngines;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.key.Secrets;
import dev.semel.simulation.history.HistoryEvent.Conflicted;
import dev.semel.simulation.history.HistoryEvent.Crashed;
import dev.semel.simulation.history.HistoryEvent.Held;
import dev.semel.simulation.history.HistoryEvent.Informed;
import dev.semel.simulation.history.HistoryEvent.Paused;
import dev.semel.simulation.history.HistoryEvent.Suspended;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A process with an engine. It can stop for a while, and it can crash: then nothing of it is left but commands on their way. */
final class SimulatedProcess {
    /** More than a clock of dates needs to learn the time again, because some dates are wrong. */
    private static final int ANSWERS_THAT_TELL = 12;

    private final String name;
    private final Scheduler scheduler;
    private final History history;
    private final Dice dice;
    private final SimulationSettings settings;
    private final Network network;
    private final SharedStore store;
    private final SimulatedEnvironment environment;
    private final Map<ClaimRef, List<String>> keys = new HashMap<>();
    private @Nullable Semel engine;
    private long pausedUntil = Long.MIN_VALUE;
    private long suspendedAt = Long.MIN_VALUE;
    private long resumedAt = Long.MIN_VALUE;
    private long suspended;

    /** How many answers it still needs to know the time. */
    private int unheard;

    private boolean dead;
    private boolean crashTookRequests;

    /** How many events it waits for. The scheduler counts. */
    int pending;

    SimulatedProcess(
            String name,
            Scheduler scheduler,
            History history,
            Dice dice,
            SimulationSettings settings,
            Network network,
            SharedStore store) {
        this.name = name;
        this.scheduler = scheduler;
        this.history = history;
        this.dice = dice;
        this.settings = settings;
        this.network = network;
        this.store = store;
        this.environment = new SimulatedEnvironment(scheduler, this, store, dice.split(), settings.clockOffset(dice));
    }

    /** Starts the engine. */
    void start(Secrets secrets, List<Subject> subjects) {
        Semel started = settings.configured(SimulatedEngines.on(store.connected(this), environment), dice)
                .secrets(secrets)
                .callbackExecutor(this::callBack)
                .listener(this::heard)
                .build();
        for (Subject subject : subjects) {
            for (ClaimKey key : subject.keys()) {
                keys.put(started.refOf(key), subject.names());
            }
        }
        engine = started;
    }

    /** The application's executor. Some tasks start late, and now and then one is refused. */
    private void callBack(Runnable task) {
        long delay = dice.between(0, 100_000L);
        if (network.isFaulty()) {
            if (dice.chance(0.003)) {
                throw new RejectedExecutionException("Simulated: the executor is full");
            }
            if (dice.chance(0.03)) {
                delay = dice.spread(1_000_000, 3_000_000_000L);
            }
        }
        scheduler.after(delay, this, task);
    }

    private void heard(ClaimEvent event) {
        if (event.kind() == ClaimEvent.Kind.ALIAS_CONFLICT) {
            history.add(new Conflicted(history.now(), name, keys.getOrDefault(event.ref(), List.of())));
        }
    }

    String name() {
        return name;
    }

    Semel engine() {
        return Objects.requireNonNull(engine, "The process has not started");
    }

    SimulatedEnvironment environment() {
        return environment;
    }

    boolean isDead() {
        return dead;
    }

    boolean isRunning() {
        return !dead && pausedUntil <= scheduler.now();
    }

    long pausedUntil() {
        return pausedUntil;
    }

    boolean crashTookRequests() {
        return crashTookRequests;
    }

    /** Stops for this time. Its clock goes on. */
    void pause(long nanos) {
        pausedUntil = scheduler.now() + nanos;
        history.add(new Paused(scheduler.now(), name, pausedUntil));
    }

    /** Suspends its host for this time: its clock stands still, and its timers wait as much longer. */
    void suspend(long nanos) {
        suspendedAt = scheduler.now();
        history.add(new Suspended(suspendedAt, name));
        pause(nanos);
        unheard = ANSWERS_THAT_TELL;
        resumedAt = pausedUntil;
        suspended += nanos;
    }

    /** It got an answer of the store. After some, it knows again how late it is. */
    void heard() {
        if (unheard > 0 && --unheard == 0) {
            history.add(new Informed(scheduler.now(), name));
        }
    }

    /** When its host was last resumed. */
    long resumedAt() {
        return resumedAt;
    }

    /** How long its host has been suspended in all. */
    long suspended() {
        return suspended;
    }

    /** How long the simulation has lasted while its host was not suspended. */
    long awake() {
        return scheduler.now() < resumedAt
                ? suspendedAt - (suspended - (resumedAt - suspendedAt))
                : scheduler.now() - suspended;
    }

    /** Ends without notice. */
    void crash() {
        dead = true;
        crashTookRequests = dice.chance(0.5);
        history.add(new Crashed(scheduler.now(), name));
    }

    /** Whether it waits for nothing but its next sweep. */
    boolean isIdle() {
        return pending <= 1 && environment.waitingForThread() == 0;
    }

    /** Notes how much the process holds. */
    void measure(int calls) {
        history.add(new Held(scheduler.now(), name, "events", pending, 60L + 40L * calls + store.mostEvents()));
    }
}
