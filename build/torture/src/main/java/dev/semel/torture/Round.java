// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.torture.history.HistoryFile;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import dev.semel.torture.rules.Checker;
import dev.semel.torture.rules.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Load under faults, then quiet, then the check.
 *
 * <ol>
 *   <li>Workers start on the shared database.
 *   <li>They repeat random workloads while faults are injected.
 *   <li>The faults end. The workers ask for every item again until it is settled.
 *   <li>All histories and the final tables are checked against all rules.
 * </ol>
 */
final class Round {
    private static final int INJECTORS = 2;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final TortureServers servers;
    private final TortureOptions options;
    private final Figures figures;
    private final Progress progress;

    /** Is told how far a round is. */
    interface Progress {
        void at(long seconds, String what);

        /** Whether somebody wants to read the histories of a broken rule. */
        default boolean keepsHistories() {
            return true;
        }
    }

    /** Tells nobody, and leaves nothing behind. */
    static final Progress QUIET = new Progress() {
        @Override
        public void at(long seconds, String what) {}

        @Override
        public boolean keepsHistories() {
            return false;
        }
    };

    Round(TortureServers servers, TortureOptions options, Figures figures, Progress progress) {
        this.servers = servers;
        this.options = options;
        this.figures = figures;
        this.progress = progress;
    }

    /** Returns the violations. If there are some, the histories are kept, unless nobody wants them. */
    List<Violation> run() throws Exception {
        Path folder = Files.createTempDirectory("semel-torture-");
        String name = "r%dx%d"
                .formatted(COUNT.incrementAndGet(), ProcessHandle.current().pid());
        long start = System.nanoTime();
        try (HistoryFile history = HistoryFile.create(ProcessHistory.file(folder, "controller"));
                Crew crew = new Crew(servers, options, name, folder, start)) {
            crew.start();
            FaultInjector injector = new FaultInjector(servers, options.faults(), crew, history, figures);
            load(crew, injector, history);
            progress.at(options.seconds(), "faults ended, settling");
            try (AutoCloseable open = injector.stranger()) {
                for (String failure : crew.settle()) {
                    history.write(new RecordedEvent.Unexpected(System.nanoTime(), "", failure));
                }
            }
            servers.store().finalState().read(name, history);
            figures.operations.addAndGet(crew.operations());
            figures.rounds.incrementAndGet();
        }
        ProcessHistory all = ProcessHistory.read(folder);
        figures.events.addAndGet(all.entries().size());
        List<Violation> violations = Checker.violations(all);
        if (violations.isEmpty()) {
            servers.store().finalState().clear();
        }
        if (violations.isEmpty() || !progress.keepsHistories()) {
            delete(folder);
        } else {
            progress.at(options.seconds(), "histories are kept in " + folder);
        }
        return violations;
    }

    private void load(Crew crew, FaultInjector injector, HistoryFile history) throws InterruptedException, IOException {
        long start = System.nanoTime();
        long end = start + options.seconds() * 1_000_000_000L;
        SplittableRandom random = new SplittableRandom(options.seed());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < INJECTORS; i++) {
            SplittableRandom own = random.split();
            Thread thread = new Thread(() -> injector.run(own, end), "faults");
            threads.add(thread);
            thread.start();
        }
        for (long tick = start; System.nanoTime() < end; ) {
            Thread.sleep(200);
            if (System.nanoTime() - tick > 5_000_000_000L) {
                tick = System.nanoTime();
                progress.at(
                        (tick - start) / 1_000_000_000L,
                        "%,d operations, %,d kills, %,d other faults"
                                .formatted(
                                        figures.operations.get() + crew.operations(),
                                        figures.kills(),
                                        figures.otherFaults()));
            }
            String failure = crew.failure();
            if (!failure.isEmpty()) {
                history.write(new RecordedEvent.Unexpected(System.nanoTime(), "", failure));
                break;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
