// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.torture.faults.FaultKind;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** What a run has done so far. */
final class Figures {
    /** A process ended with SIGKILL: a worker or the database. */
    private static final Set<FaultKind> KILLS = EnumSet.of(FaultKind.KILL, FaultKind.VANISH, FaultKind.DATABASE);

    final AtomicLong rounds = new AtomicLong();
    final AtomicLong operations = new AtomicLong();
    final AtomicLong events = new AtomicLong();
    private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);

    /** A fault has happened. */
    synchronized void count(FaultKind kind) {
        faults.merge(kind, 1L, Long::sum);
    }

    private synchronized long faults(boolean kills) {
        return faults.entrySet().stream()
                .filter(entry -> KILLS.contains(entry.getKey()) == kills)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    long kills() {
        return faults(true);
    }

    long otherFaults() {
        return faults(false);
    }

    /** How often each kind of fault has happened. */
    synchronized String byKind() {
        return faults.entrySet().stream()
                .map(entry -> "%s %,d".formatted(entry.getKey().text(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return "%,d rounds, %,d operations, %,d kills, %,d other faults, %,d events"
                .formatted(rounds.get(), operations.get(), kills(), otherFaults(), events.get());
    }
}
