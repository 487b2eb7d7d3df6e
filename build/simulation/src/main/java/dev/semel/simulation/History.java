// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.simulation.history.HistoryChecker;
import dev.semel.simulation.history.HistoryEvent;
import dev.semel.simulation.history.StoreClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The history of one simulation. Every event is checked when it happens. */
final class History {
    private final Scheduler scheduler;
    private final Trace trace;
    private final HistoryChecker checker;
    private final List<String> defects = new ArrayList<>();
    private final List<Consumer<HistoryEvent>> others = new ArrayList<>();
    private long calls;
    private long runs;

    History(Scheduler scheduler, Trace trace, StoreClock clock) {
        this.scheduler = scheduler;
        this.trace = trace;
        this.checker = new HistoryChecker(clock);
    }

    long now() {
        return scheduler.now();
    }

    /** The number of a new call. */
    long newCall() {
        return ++calls;
    }

    /** The number of a new run. */
    long newRun() {
        return ++runs;
    }

    /** How many callers asked so far. */
    long calls() {
        return calls;
    }

    /** How often work ran so far. */
    long runs() {
        return runs;
    }

    /** Somebody else who sees every event. */
    void alsoTell(Consumer<HistoryEvent> other) {
        others.add(other);
    }

    void add(HistoryEvent event) {
        others.forEach(other -> other.accept(event));
        int before = trace.isOn() ? checker.violations().size() : 0;
        checker.see(event);
        if (trace.isOn()) {
            trace.line(event.process(), "%s", event);
            List<String> violations = checker.violations();
            violations
                    .subList(before, violations.size())
                    .forEach(what -> trace.line(event.process(), "BROKEN %s", what));
        }
    }

    /** Something is wrong that no rule is about. */
    void defect(String what) {
        trace.line("-", "BROKEN %s", what);
        defects.add(what);
    }

    /** Everything that was wrong, at the end. */
    List<String> end() {
        List<String> all = new ArrayList<>(checker.end());
        all.addAll(defects);
        return all;
    }
}
