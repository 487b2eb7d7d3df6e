// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.memory.MemoryClaimStore;
import dev.semel.torture.history.Answer;
import dev.semel.torture.history.HistoryFile;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A worker process: several engines, and threads that repeat random workloads on them. The controller speaks to it by lines on
 * its standard input: {@code settle} ends the workloads and asks for every item again; {@code read} reads all pages to their
 * end; {@code end}, or the end of the input, ends the process. It prints how many calls were answered, once in a while.
 */
public final class Worker {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration SETTLE = Duration.ofSeconds(40);

    /** Where every command is a request of its own, which takes long on a busy machine. */
    private static final Duration SETTLE_BY_REQUESTS = Duration.ofMinutes(2);

    private static final Duration LATE = Duration.ofSeconds(10);
    private static final long HEAP = 128L << 20;
    private static final int THREADS = 200;

    private final WorkerSettings settings;
    private final Recorder recorder;
    private final Items items;
    private final ThreadPoolExecutor callbacks = (ThreadPoolExecutor) Executors.newCachedThreadPool(Worker::daemon);
    private final List<Instance> instances = new ArrayList<>();
    private final List<Map<String, Workload>> works = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    private Worker(WorkerSettings settings) {
        this.settings = settings;
        Path folder = Path.of(settings.history());
        this.recorder = new Recorder(
                HistoryFile.create(ProcessHistory.file(folder, "worker-" + settings.number())), settings.number());
        this.items = new Items(settings);
    }

    /** Starts a worker with the settings in this file. */
    public static void main(String[] arguments) throws Exception {
        // Before anything else, so that a worker whose controller is gone ends even while it starts.
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        CountDownLatch settle = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Map<String, CountDownLatch> latches = Map.of("settle", settle, "read", read, "end", end);
        Thread listener = daemon(() -> listen(commands, latches));
        listener.start();
        Worker worker = new Worker(WorkerSettings.read(Path.of(arguments[0])));
        worker.start();
        System.out.println("ready");
        settle.await();
        worker.settle();
        System.out.println("settled");
        read.await();
        worker.read();
        System.out.println("complete");
        end.await();
        Runtime.getRuntime().halt(0);
    }

    private static void listen(BufferedReader commands, Map<String, CountDownLatch> latches) {
        try {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                CountDownLatch latch = latches.get(line);
                if (latch != null) {
                    latch.countDown();
                }
            }
        } catch (IOException e) {
            // The controller is gone.
        }
        Runtime.getRuntime().halt(0);
    }

    private static Thread daemon(Runnable runnable) {
        Thread thread = new Thread(runnable);
        thread.setDaemon(true);
        return thread;
    }

    private void start() throws InterruptedException {
        StallWatch.start(recorder);
        MemoryClaimStore memory = new MemoryClaimStore();
        for (int i = 0; i < settings.engines(); i++) {
            Instance instance = instance(i, memory);
            instances.add(instance);
            works.add(works(instance));
        }
        daemon(this::progress).start();
        SplittableRandom seeds = new SplittableRandom(settings.seed() * 1_000_003 + settings.number());
        for (int i = 0; i < settings.engines() * settings.threads(); i++) {
            Map<String, Workload> mine = works.get(i % works.size());
            SplittableRandom random = seeds.split();
            if (mine.isEmpty()) {
                continue;
            }
            Thread thread = daemon(() -> repeat(List.copyOf(mine.values()), random));
            threads.add(thread);
            thread.start();
        }
    }

    /** The database may be down while a worker starts. */
    private Instance instance(int number, MemoryClaimStore memory) throws InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            try {
                if (settings.inMemory()) {
                    return Instance.inMemory(settings, number, memory, recorder, callbacks);
                }
                return DynamoClients.isMeant(settings.url())
                        ? Instance.onDynamo(settings, number, recorder, callbacks)
                        : Instance.on(settings, number, Pools.of(settings), recorder, callbacks);
            } catch (RuntimeException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                Thread.sleep(200);
            }
        }
    }

    private Map<String, Workload> works(Instance instance) {
        Map<String, Workload> all = new LinkedHashMap<>();
        all.put(ExecutedWork.KIND, new ExecutedWork(instance, recorder, items));
        all.put(ManualWork.KIND, new ManualWork(instance, recorder, items));
        all.put(AliasedWork.KIND, new AliasedWork(instance, recorder, items));
        all.put(ConflictWork.KIND, new ConflictWork(instance, recorder, items));
        all.put(StepWork.KIND, new StepWork(instance, recorder, items));
        all.put(DeliveredWork.KIND, new DeliveredWork(instance, recorder, items, callbacks, settings.clockHours()));
        if (instance.keys != null) {
            all.put(
                    OperatorWork.KIND,
                    new OperatorWork(instance, instance.keys, recorder, items, settings.dirtyPool()));
        }
        if (instance.hasRoomForBursts()) {
            int claims = DynamoClients.isMeant(settings.url()) ? BurstWork.IN_REQUESTS : BurstWork.IN_BATCHES;
            all.put(BurstWork.KIND, new BurstWork(instance, recorder, items, claims));
        }
        if (instance.transactions != null && instance.journal != null) {
            all.put(
                    TransactionalWork.KIND,
                    new TransactionalWork(instance.transactions, recorder, items, settings.dirtyPool()));
            all.put(
                    GroupedWork.KIND,
                    new GroupedWork(instance.transactions, recorder, items, callbacks, settings.dirtyPool()));
            LedgerWrites ledger = new LedgerWrites(instance.journal.ledger(), recorder, items, settings.round());
            all.put(LedgerWrites.KIND, ledger);
            all.put("ledger-reader", ledger.reader());
            InboxWrites inbox = new InboxWrites(instance.journal.inbox(), recorder, items, settings.round());
            all.put(InboxWrites.KIND, inbox);
            all.put("inbox-reader", inbox.reader());
        }
        if (!settings.works().isEmpty()) {
            Set<String> chosen = Set.of(settings.works().split(","));
            all.keySet().removeIf(name -> !chosen.contains(name.replace("-reader", "")));
        }
        return all;
    }

    private void repeat(List<Workload> mine, SplittableRandom random) {
        while (!stopped) {
            Workload work = mine.get(random.nextInt(mine.size()));
            try {
                work.step(random);
            } catch (Exception | Error e) {
                recorder.unexpected("", "%s threw %s".formatted(work.getClass().getSimpleName(), described(e)));
            }
        }
    }

    private static String described(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return failure + (trace.length == 0 ? "" : " at " + trace[0]);
    }

    private void progress() {
        try {
            while (true) {
                Thread.sleep(500);
                System.out.println("operations " + recorder.operations());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The faults have ended: everything that was asked for is asked for again until it is settled. */
    private void settle() throws InterruptedException {
        stopped = true;
        instances.forEach(Instance::heal);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
            if (thread.isAlive()) {
                recorder.unexpected("", "a caller got no answer after the faults: " + List.of(thread.getStackTrace()));
            }
        }
        again(false);
    }

    /** All writers of all processes have ended: the readers must get the rest. */
    private void read() throws InterruptedException {
        again(true);
        gauges();
    }

    private void again(boolean readers) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(settings.threads() * 2, Worker::daemon);
        Duration limit = DynamoClients.isMeant(settings.url()) ? SETTLE_BY_REQUESTS : SETTLE;
        long end = System.nanoTime() + limit.toNanos();
        SplittableRandom random = new SplittableRandom(settings.seed());
        works.get(0).forEach((kind, work) -> {
            boolean reads = work instanceof StreamReader;
            List<String> names = reads ? List.of("") : List.copyOf(items.asked(kind));
            for (String name : names) {
                SplittableRandom own = random.split();
                if (reads == readers) {
                    pool.execute(() -> settle(work, name, own, end));
                }
            }
        });
        pool.shutdown();
        if (!pool.awaitTermination(limit.toSeconds() + 40, TimeUnit.SECONDS)) {
            recorder.unexpected("", "a caller got no answer after the faults");
        }
    }

    /** An item whose turn comes late, on a busy machine, may be asked for several times as well: some of its runs fail. */
    private void settle(Workload work, String name, SplittableRandom random, long end) {
        long own = Math.max(end, System.nanoTime() + LATE.toNanos());
        try {
            while (!work.settles(name, random)) {
                if (System.nanoTime() > own) {
                    recorder.write(new RecordedEvent.Unfinished(
                            System.nanoTime(),
                            name.isEmpty() ? work.getClass().getSimpleName() : name,
                            Answer.UNAVAILABLE));
                    return;
                }
                Thread.sleep(50);
            }
        } catch (Exception | Error e) {
            recorder.unexpected(name, "after the faults: " + described(e));
        }
    }

    private void gauges() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        long used = runtime.totalMemory() - runtime.freeMemory();
        recorder.write(new RecordedEvent.Gauge(System.nanoTime(), "", "heap after GC", used, HEAP));
        // The executor of the callbacks is the application's. A burst of answers on a busy machine needs as many
        // threads.
        int ours = Thread.activeCount() - callbacks.getPoolSize();
        recorder.write(new RecordedEvent.Gauge(System.nanoTime(), "", "threads", ours, THREADS));
    }
}
