// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** CPU time of this process, and of other processes by name. */
final class Cpu {
    /** This process, with client and engine. The database is not included. */
    static final Cpu OWN = new Cpu(Map.of());

    /** The name of the database's processes. */
    static final String DATABASE = "database";

    /** The name of the process of Semel's server. */
    static final String SERVER = "server";

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Map<String, Long> others;

    private Cpu(Map<String, Long> others) {
        this.others = Collections.unmodifiableMap(others);
    }

    /** Adds another process and its descendants. */
    Cpu with(String name, long pid) {
        Map<String, Long> more = new LinkedHashMap<>(others);
        more.put(name, pid);
        return new Cpu(more);
    }

    Spent now() {
        Map<String, Long> nanos = new LinkedHashMap<>();
        others.forEach((name, pid) -> nanos.put(name, nanos(pid)));
        return new Spent(SYSTEM.getProcessCpuTime(), nanos);
    }

    private static long nanos(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToLong(Duration::toNanos)
                .sum();
    }

    /** The CPU time so far, in nanoseconds. */
    record Spent(long own, Map<String, Long> others) {
        Spent since(Spent before) {
            Map<String, Long> difference = new LinkedHashMap<>();
            // If children end during the measurement, the difference can be negative.
            others.forEach((name, nanos) ->
                    difference.put(name, Math.max(0, nanos - before.others.getOrDefault(name, 0L))));
            return new Spent(own - before.own, difference);
        }

        Spent plus(Spent more) {
            Map<String, Long> sum = new LinkedHashMap<>(others);
            more.others.forEach((name, nanos) -> sum.merge(name, nanos, Long::sum));
            return new Spent(own + more.own, sum);
        }
    }
}
