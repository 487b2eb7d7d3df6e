// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * What the threads of this process have done: bytes allocated on the heap, and voluntary context switches, in which a thread waits
 * for something. Switches are read from Linux and unknown elsewhere. A thread's counts end with it, so a thread that ends during a
 * measurement adds them with {@link #addThisThread}.
 */
final class ThreadCounts {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Path THIS_THREAD = Path.of("/proc/thread-self/status");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";

    private final Map<String, Long> switchesBefore = switches();
    private final LongAdder endedBytes = new LongAdder();
    private final LongAdder endedSwitches = new LongAdder();
    // Last, so that it includes what reading the switches has allocated.
    private final Map<Long, Long> bytesBefore = bytes();

    private ThreadCounts() {}

    /** Starts to count. */
    static ThreadCounts start() {
        return new ThreadCounts();
    }

    /** Adds the counts of the current thread, which started after the measurement did and ends now. */
    void addThisThread() {
        endedBytes.add(THREADS.getCurrentThreadAllocatedBytes());
        if (Files.exists(THIS_THREAD)) {
            endedSwitches.add(switches(THIS_THREAD));
        }
    }

    Counted soFar() {
        long bytes = endedBytes.sum() + grown(bytesBefore, bytes());
        Map<String, Long> switches = switches();
        return new Counted(
                bytes,
                switches.isEmpty() ? Double.NaN : endedSwitches.sum() + (double) grown(switchesBefore, switches));
    }

    /** The growth of the threads that live now. */
    static <K> long grown(Map<K, Long> before, Map<K, Long> now) {
        return now.entrySet().stream()
                .mapToLong(entry -> entry.getValue() - before.getOrDefault(entry.getKey(), 0L))
                .sum();
    }

    private static Map<Long, Long> bytes() {
        Map<Long, Long> bytes = new HashMap<>();
        long[] ids = THREADS.getAllThreadIds();
        long[] allocated = THREADS.getThreadAllocatedBytes(ids);
        for (int i = 0; i < ids.length; i++) {
            if (allocated[i] >= 0) {
                bytes.put(ids[i], allocated[i]);
            }
        }
        return bytes;
    }

    private static Map<String, Long> switches() {
        Map<String, Long> switches = new HashMap<>();
        if (Files.isDirectory(TASKS)) {
            try (Stream<Path> tasks = Files.list(TASKS)) {
                tasks.forEach(task -> switches.put(task.getFileName().toString(), switches(task.resolve("status"))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return switches;
    }

    private static long switches(Path status) {
        try {
            return switchesIn(Files.readAllLines(status));
        } catch (IOException threadHasEnded) {
            return 0;
        }
    }

    /** The voluntary switches in the status that Linux shows of a thread. */
    static long switchesIn(List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith(VOLUNTARY))
                .mapToLong(line ->
                        Long.parseLong(line.substring(VOLUNTARY.length()).strip()))
                .sum();
    }

    /** @param switches not a number where the system does not tell */
    record Counted(double bytes, double switches) {
        static final Counted NOTHING = new Counted(Double.NaN, Double.NaN);

        Counted plus(Counted more) {
            return new Counted(bytes + more.bytes, switches + more.switches);
        }
    }
}
