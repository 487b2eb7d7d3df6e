// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.util.List;

/**
 * What came of a simulation.
 *
 * @param violations what was wrong; empty if nothing was
 * @param trace everything that happened; empty unless it was asked for
 * @param calls how many callers asked
 * @param runs how often work ran
 */
public record SimulationReport(
        StoreKind kind, long seed, List<String> violations, List<String> trace, long calls, long runs) {
    /** The command that repeats this simulation. */
    public String command() {
        String store = kind == StoreKind.MEMORY ? "" : "--store %s ".formatted(kind.option());
        return "./semel simulate %s--seed %d".formatted(store, seed);
    }

    /** What was wrong, and how to see it again. */
    public String message() {
        return "Seed %d broke %d rules:%n  %s%nRepeat it with a trace: %s"
                .formatted(seed, violations.size(), String.join("\n  ", violations), command());
    }
}
