// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Semel and what it is compared with, side by side. Every figure is shown as "Semel / other".
 *
 * @param other null if Semel is measured alone
 */
record Sides(Side semel, @Nullable Side other) {
    private static final double MICROS = 1_000;

    static Sides of(Paired paired) {
        return new Sides(Side.of(paired.semel()), Side.of(paired.baseline()));
    }

    static Sides alone(List<Measurement> rounds) {
        return new Sides(Side.of(rounds), null);
    }

    /** With the CPU time of this process as that of the other side's server. */
    Sides otherServerIs(String process) {
        return new Sides(semel.without(process), other == null ? null : other.withServer(process));
    }

    String perSecond() {
        return cell(Side::perSecond);
    }

    String p50Millis() {
        return cell(side -> side.p50Micros() / MICROS);
    }

    String p99Millis() {
        return cell(side -> side.p99Micros() / MICROS);
    }

    String clientMicros() {
        return cell(Side::clientMicros);
    }

    /** CPU time of another process, or nothing if it was not measured. */
    String micros(String process) {
        return processes().contains(process) ? cell(side -> side.otherMicros().getOrDefault(process, 0.0)) : "";
    }

    /** The processes besides this one, the server and the database. */
    Set<String> furtherProcesses() {
        Set<String> names = processes();
        names.remove(Cpu.SERVER);
        names.remove(Cpu.DATABASE);
        return names;
    }

    /** Whether this process contains the engine, and is no load generator. */
    boolean engineIsHere() {
        Set<String> names = processes();
        names.remove(Cpu.DATABASE);
        return names.isEmpty();
    }

    String bytes() {
        return cell(Side::bytes);
    }

    String switches() {
        return cell(Side::switches);
    }

    private Set<String> processes() {
        return new TreeSet<>(semel.otherMicros().keySet());
    }

    private String cell(ToDoubleFunction<Side> of) {
        String ours = number(of.applyAsDouble(semel));
        return other == null ? ours : ours + " / " + number(of.applyAsDouble(other));
    }

    /** About three digits. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "unknown";
        }
        double size = Math.abs(value);
        if (size >= 99.95) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        int decimals = size >= 9.995 ? 1 : size >= 0.0995 || size == 0 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
