// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.torture.faults.FaultKind;
import dev.semel.torture.faults.FaultyNetwork;
import dev.semel.torture.faults.WorkerProcess;
import dev.semel.torture.work.WorkerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/** The worker processes of a round. A killed one is replaced. */
final class Crew implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration SETTLE = Duration.ofMinutes(4);
    private static final int ENGINES = 2;
    private static final int THREADS = 8;

    /** DynamoDB Local answers few requests at once, and every command is one. */
    private static final int THREADS_OF_REQUESTS = 4;

    private final TortureServers servers;
    private final TortureOptions options;
    private final String round;
    private final Path folder;
    private final long startNanos;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<WorkerProcess> former = new ArrayList<>();
    private final List<ReentrantLock> locks = new ArrayList<>();
    private final List<FaultyNetwork> networks = new ArrayList<>();
    private int started;

    Crew(TortureServers servers, TortureOptions options, String round, Path folder, long startNanos) {
        this.servers = servers;
        this.options = options;
        this.round = round;
        this.folder = folder;
        this.startNanos = startNanos;
    }

    void start() throws IOException, InterruptedException {
        int processes = servers.store().url(0).isEmpty() ? 1 : options.processes();
        for (int i = 0; i < processes; i++) {
            locks.add(new ReentrantLock());
            workers.add(startOne());
        }
        awaitReady();
    }

    void awaitReady() throws InterruptedException, IOException {
        for (WorkerProcess worker : List.copyOf(workers)) {
            if (!worker.awaitReady(START)) {
                throw new IllegalStateException(
                        "worker-%d did not start: %s".formatted(worker.number(), worker.output()));
            }
        }
    }

    private WorkerProcess startOne() throws IOException {
        int number = ++started;
        FaultyNetwork network = new FaultyNetwork(() -> servers.store().port(number));
        networks.add(network);
        boolean dirty = options.faults().contains(FaultKind.DIRTY_POOL)
                && servers.store().hasSql()
                && number % 3 == 1;
        boolean clock = options.faults().contains(FaultKind.CLOCK);
        String redis =
                servers.redis() != null && number % 2 == 0 ? servers.redis().uri() : "";
        WorkerSettings settings = new WorkerSettings(
                options.seed(),
                round,
                number,
                startNanos,
                folder.toString(),
                servers.store().url(network.port()),
                servers.store().user(),
                servers.store().password(),
                redis,
                (int) Math.floorMod(options.seed(), 3L),
                dirty,
                number % 3 == 2,
                options.faults().contains(FaultKind.LOST_ANSWER),
                clock ? number % 3 - 1 : 0,
                ENGINES,
                servers.store().hasSql() ? THREADS : THREADS_OF_REQUESTS,
                options.works());
        return WorkerProcess.start(options.classPath(), settings, network, folder);
    }

    /** Something that is done to a worker. */
    interface OnWorker {
        void accept(WorkerProcess worker) throws InterruptedException, IOException;
    }

    /** Chooses a worker to which nothing else is being done; does nothing if there is none. */
    void withOne(SplittableRandom random, OnWorker fault) throws InterruptedException, IOException {
        int index = random.nextInt(workers.size());
        if (locks.get(index).tryLock()) {
            try {
                fault.accept(worker(index));
            } finally {
                locks.get(index).unlock();
            }
        }
    }

    private synchronized WorkerProcess worker(int index) {
        return workers.get(index);
    }

    synchronized void replace(WorkerProcess killed) throws IOException {
        former.add(killed);
        workers.set(workers.indexOf(killed), startOne());
    }

    synchronized long operations() {
        long sum = 0;
        for (WorkerProcess worker : workers) {
            sum += worker.operations();
        }
        for (WorkerProcess worker : former) {
            sum += worker.operations();
        }
        return sum;
    }

    /** Describes a worker that ended by itself; empty if there is none. */
    synchronized String failure() throws IOException {
        for (WorkerProcess worker : workers) {
            if (worker.diedByItself()) {
                return "worker-%d ended by itself: %s".formatted(worker.number(), worker.output());
            }
        }
        return "";
    }

    /** Ends the faults, and lets the workers settle everything. Returns what went wrong, or nothing. */
    List<String> settle() throws InterruptedException, IOException {
        networks.forEach(FaultyNetwork::heal);
        servers.store().heal();
        awaitReady();
        workers.forEach(WorkerProcess::settle);
        List<String> failures = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            if (!worker.awaitSettled(SETTLE)) {
                failures.add("worker-%d did not settle: %s".formatted(worker.number(), worker.output()));
            }
        }
        workers.forEach(WorkerProcess::readPages);
        for (WorkerProcess worker : workers) {
            if (!worker.awaitComplete(SETTLE)) {
                failures.add("worker-%d did not read to the end: %s".formatted(worker.number(), worker.output()));
            }
        }
        return failures;
    }

    @Override
    public void close() throws InterruptedException {
        for (WorkerProcess worker : workers) {
            worker.end();
        }
        networks.forEach(FaultyNetwork::close);
    }
}
