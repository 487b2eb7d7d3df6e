// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries calls to the store and answers back. Both take a random time. While faults are on, calls get lost before or after their
 * effect, fail, take effect after they have failed, or are not answered for seconds.
 */
final class Network {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final Scheduler scheduler;
    private final Dice dice;
    private final Trace trace;
    private final double faultRate;
    private final double slowRate;
    private boolean faulty = true;
    private long outageUntil = Long.MIN_VALUE;
    private long latestEffect = -1;

    /** @param faultRate how many calls fail in some way while faults are on, from 0 to 1 */
    Network(Scheduler scheduler, Dice dice, Trace trace, double faultRate) {
        this.scheduler = scheduler;
        this.dice = dice;
        this.trace = trace;
        this.faultRate = faultRate;
        this.slowRate = dice.oneOf(List.of(0.0, 0.02, 0.1, 0.3));
    }

    /** Ends all faults. */
    void heal() {
        faulty = false;
        outageUntil = Long.MIN_VALUE;
    }

    boolean isFaulty() {
        return faulty;
    }

    /** Every call fails in some way for this time. */
    void outage(long nanos) {
        outageUntil = scheduler.now() + nanos;
        trace.line("network", "outage for %d ms", nanos / MILLI);
    }

    /** What happens to a call. */
    private enum Fate {
        ANSWERED,
        LOST_BEFORE_EFFECT,
        LOST_AFTER_EFFECT,
        EFFECT_AFTER_FAILURE,
        SILENT_BEFORE_EFFECT,
        SILENT_AFTER_EFFECT,
        BUSY,
        DEFECT
    }

    /** Makes a call. Exactly one of the two consumers gets its answer, unless the process is gone by then. */
    <R> void send(SimulatedProcess process, Supplier<R> call, Consumer<R> answered, Consumer<Throwable> failed) {
        Fate fate = fate();
        long there = delay();
        long back = delay();
        if (fate != Fate.ANSWERED && trace.isOn()) {
            trace.line(process.name(), "a call will be %s", fate);
        }
        switch (fate) {
            case ANSWERED ->
                effect(process, there, call, (value, thrown) -> answer(process, back, value, thrown, answered, failed));
            case LOST_BEFORE_EFFECT -> fail(process, there + back, Kind.UNREACHABLE, failed);
            case LOST_AFTER_EFFECT -> {
                effect(process, there, call, (value, thrown) -> {});
                fail(process, there + back, Kind.UNREACHABLE, failed);
            }
            case EFFECT_AFTER_FAILURE -> {
                fail(process, there, Kind.UNREACHABLE, failed);
                effect(process, there + dice.spread(MILLI, 3 * SECOND), call, (value, thrown) -> {});
            }
            case SILENT_BEFORE_EFFECT ->
                effect(
                        process,
                        silence(),
                        call,
                        (value, thrown) -> answer(process, back, value, thrown, answered, failed));
            case SILENT_AFTER_EFFECT -> {
                long silence = silence();
                effect(
                        process,
                        there,
                        call,
                        (value, thrown) -> answer(process, silence, value, thrown, answered, failed));
            }
            case BUSY -> fail(process, there + back, Kind.BUSY, failed);
            case DEFECT -> {
                effect(process, there, call, (value, thrown) -> {});
                scheduler.after(there + back, process, () -> failed.accept(new IllegalStateException("A defect")));
            }
        }
    }

    private Fate fate() {
        if (!faulty) {
            return Fate.ANSWERED;
        }
        boolean fails = scheduler.now() < outageUntil ? dice.chance(0.95) : dice.chance(faultRate);
        return fails ? Fate.values()[dice.between(1, Fate.values().length)] : Fate.ANSWERED;
    }

    private long delay() {
        if (faulty && dice.chance(slowRate)) {
            return dice.spread(5 * MILLI, 2 * SECOND);
        }
        return dice.spread(20 * MICRO, 2 * MILLI);
    }

    private long silence() {
        return dice.spread(500 * MILLI, 8 * SECOND);
    }

    /** The call reaches the store even if its process has crashed, unless the crash took it along. */
    private <R> void effect(SimulatedProcess process, long delay, Supplier<R> call, Answered<R> then) {
        scheduler.after(delay, null, () -> {
            if (process.isDead() && process.crashTookRequests()) {
                return;
            }
            // No two effects in the same microsecond: then the order of the store's times is the order of the effects.
            if (scheduler.now() / MICRO <= latestEffect) {
                effect(process, MICRO, call, then);
                return;
            }
            latestEffect = scheduler.now() / MICRO;
            R value;
            try {
                value = call.get();
            } catch (StoreException e) {
                then.accept(null, e);
                return;
            }
            then.accept(value, null);
        });
    }

    private <R> void answer(
            SimulatedProcess process,
            long delay,
            @Nullable R value,
            @Nullable Throwable thrown,
            Consumer<R> answered,
            Consumer<Throwable> failed) {
        scheduler.after(delay, process, () -> {
            if (thrown != null) {
                failed.accept(thrown);
            } else if (value != null) {
                answered.accept(value);
            }
        });
    }

    private void fail(SimulatedProcess process, long delay, Kind kind, Consumer<Throwable> failed) {
        scheduler.after(delay, process, () -> failed.accept(new StoreException(kind, "Simulated: " + kind)));
    }

    /** A value, or what was thrown instead. */
    private interface Answered<R> {
        void accept(@Nullable R value, @Nullable Throwable thrown);
    }
}
