// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, in lines to read. Off by default, because text takes longer than everything else. */
final class Trace {
    private final Scheduler scheduler;
    private final boolean on;
    private final List<String> lines = new ArrayList<>();

    Trace(Scheduler scheduler, boolean on) {
        this.scheduler = scheduler;
        this.on = on;
    }

    boolean isOn() {
        return on;
    }

    void line(String who, String what, Object... values) {
        if (on) {
            lines.add("%12.6f %-8s ".formatted(scheduler.now() / 1e9, who) + String.format(Locale.ROOT, what, values));
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
