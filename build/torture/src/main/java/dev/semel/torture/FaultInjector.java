// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.testservers.RedisServer;
import dev.semel.torture.faults.FaultKind;
import dev.semel.torture.faults.SmallDisk;
import dev.semel.torture.faults.TortureStore;
import dev.semel.torture.faults.WorkerProcess;
import dev.semel.torture.history.HistoryFile;
import dev.semel.torture.history.RecordedEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Injects faults, one after the other, until the load ends. Several run at the same time. */
final class FaultInjector {
    private static final Map<FaultKind, Integer> WEIGHTS = Map.ofEntries(
            Map.entry(FaultKind.KILL, 2),
            Map.entry(FaultKind.PAUSE, 4),
            Map.entry(FaultKind.SILENCE, 3),
            Map.entry(FaultKind.DELAY, 4),
            Map.entry(FaultKind.CUT, 2),
            Map.entry(FaultKind.LOST_ANSWER, 5),
            Map.entry(FaultKind.VANISH, 1),
            Map.entry(FaultKind.SESSION, 4),
            Map.entry(FaultKind.LOCK, 3),
            Map.entry(FaultKind.DATABASE, 1),
            Map.entry(FaultKind.STALL, 2),
            Map.entry(FaultKind.PARTITION, 2),
            Map.entry(FaultKind.DISK_FULL, 2),
            Map.entry(FaultKind.REDIS, 2),
            Map.entry(FaultKind.THROTTLE, 3),
            Map.entry(FaultKind.CONFLICT, 3),
            Map.entry(FaultKind.SERVER_ERROR, 4),
            Map.entry(FaultKind.SLOW_ANSWER, 2),
            Map.entry(FaultKind.WRONG_DATE, 3),
            Map.entry(FaultKind.DUPLICATE, 4));

    private final TortureStore store;
    private final @Nullable RedisServer redis;
    private final List<FaultKind> kinds = new ArrayList<>();
    private final Crew crew;
    private final HistoryFile history;
    private final Figures figures;
    private final ReentrantLock server = new ReentrantLock();

    FaultInjector(TortureServers servers, Set<FaultKind> faults, Crew crew, HistoryFile history, Figures figures) {
        this.store = servers.store();
        this.redis = servers.redis();
        this.crew = crew;
        this.history = history;
        this.figures = figures;
        for (FaultKind kind : faults) {
            for (int i = 0; store.can(kind) && i < WEIGHTS.getOrDefault(kind, 0); i++) {
                kinds.add(kind);
            }
        }
    }

    /**
     * A transaction of somebody else in another database, which stays open for the whole round and beyond the faults. Nothing
     * may wait for it.
     */
    AutoCloseable stranger() throws SQLException {
        if (!kinds.contains(FaultKind.LOCK) || !store.name().equals("postgresql")) {
            return () -> {};
        }
        Connection connection = store.connectElsewhere();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT pg_current_xact_id()").close();
        }
        return connection;
    }

    /** @param end in {@link System#nanoTime} */
    void run(SplittableRandom random, long end) {
        try {
            while (!kinds.isEmpty()) {
                Thread.sleep(250 + random.nextInt(900));
                if (System.nanoTime() > end) {
                    return;
                }
                try {
                    inject(kinds.get(random.nextInt(kinds.size())), random);
                } catch (SQLException e) {
                    // The session that was to be ended has ended by itself, or the database is too busy to be
                    // disturbed.
                    note("fault refused: " + e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            history.write(new RecordedEvent.Unexpected(System.nanoTime(), "", "a fault could not be injected: " + e));
        }
    }

    private void inject(FaultKind kind, SplittableRandom random)
            throws InterruptedException, IOException, SQLException {
        switch (kind) {
            case DATABASE -> crash();
            case SESSION ->
                onServer(() -> {
                    store.endSession(random);
                    figures.count(FaultKind.SESSION);
                });
            case LOCK -> onServer(() -> lock(random));
            case STALL -> onServer(() -> stall(random));
            case PARTITION -> onServer(() -> partition(random));
            case DISK_FULL -> onServer(() -> fillDisk(random));
            case REDIS -> disturbRedis(random);
            case THROTTLE, CONFLICT, SERVER_ERROR, SLOW_ANSWER, WRONG_DATE, DUPLICATE -> misbehave(kind, random);
            default -> crew.withOne(random, worker -> disturb(kind, worker, random));
        }
    }

    private void stall(SplittableRandom random) throws InterruptedException {
        note("database stands still");
        store.stall(Duration.ofMillis(200 + random.nextInt(3_500)));
        note("database goes on");
        figures.count(FaultKind.STALL);
    }

    private void partition(SplittableRandom random) throws InterruptedException {
        note("node separated");
        store.partition(random, Duration.ofMillis(500 + random.nextInt(15_500)));
        note("node joined again");
        figures.count(FaultKind.PARTITION);
    }

    private void fillDisk(SplittableRandom random) throws InterruptedException, IOException {
        SmallDisk disk = store.disk().orElseThrow();
        note("disk full");
        try {
            disk.fill();
            Thread.sleep(200 + random.nextInt(2_000));
        } finally {
            disk.grow();
        }
        note(store.revive() ? "disk not full, database restarted" : "disk not full");
        figures.count(FaultKind.DISK_FULL);
    }

    private void misbehave(FaultKind kind, SplittableRandom random) {
        int percent = 5 + random.nextInt(40);
        Duration duration = Duration.ofMillis(300 + random.nextInt(2_500));
        note("%s in %d %% of the answers for %d ms".formatted(kind.text(), percent, duration.toMillis()));
        store.misbehave(kind, percent, duration);
        figures.count(kind);
    }

    private void note(String what) {
        history.write(new RecordedEvent.Faulted(System.nanoTime(), "", what));
    }

    private void disturb(FaultKind kind, WorkerProcess worker, SplittableRandom random)
            throws InterruptedException, IOException {
        if (kind == FaultKind.VANISH && worker.operations() == 0) {
            // It has not begun yet, so that it would leave nothing behind.
            return;
        }
        String whom = " worker-" + worker.number();
        note(kind.text() + whom);
        switch (kind) {
            case KILL -> kill(worker);
            case VANISH -> {
                // Everything is held back first, so that transactions are open when it vanishes.
                worker.network().slow(Duration.ofMillis(400));
                Thread.sleep(50 + random.nextInt(300));
                worker.network().vanish();
                Thread.sleep(random.nextInt(300));
                kill(worker);
            }
            case PAUSE -> worker.pause(Duration.ofMillis(200 + random.nextInt(2_000)));
            case SILENCE -> {
                int direction = random.nextInt(3);
                worker.network().silence(direction != 0, direction != 1);
            }
            case DELAY -> worker.network().slow(Duration.ofMillis(100 + random.nextInt(1_500)));
            case CUT -> worker.network().cut();
            case LOST_ANSWER -> worker.network().loseAnswers(1 + random.nextInt(6));
            default -> throw new IllegalStateException("Not a fault of a worker: " + kind);
        }
        note("after " + kind.text() + whom);
        figures.count(kind);
    }

    private void kill(WorkerProcess worker) throws InterruptedException, IOException {
        worker.kill();
        crew.replace(worker);
    }

    private void crash() throws InterruptedException {
        if (server.tryLock()) {
            try {
                note("database killed");
                store.crash();
                note("database restarted");
                figures.count(FaultKind.DATABASE);
            } finally {
                server.unlock();
            }
        }
    }

    /** Something that needs the database. */
    private interface OnServer {
        void run() throws InterruptedException, IOException, SQLException;
    }

    /** Does nothing while the server is down. */
    private void onServer(OnServer fault) throws InterruptedException, IOException, SQLException {
        if (server.tryLock()) {
            try {
                fault.run();
            } finally {
                server.unlock();
            }
        }
    }

    private void lock(SplittableRandom random) throws InterruptedException, SQLException {
        note("lock");
        try (Connection connection = store.connect()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                store.limitLockWait(statement);
                if (store.port() == 0) {
                    statement.executeUpdate("DELETE FROM torture_uncommitted WHERE note = 'none'");
                } else {
                    statement
                            .executeQuery(
                                    "SELECT key_hash FROM idempotency_keys ORDER BY created_at DESC LIMIT 20 FOR UPDATE")
                            .close();
                }
                Thread.sleep(50 + random.nextInt(900));
            }
            connection.rollback();
        } catch (SQLException busy) {
            // A deadlock with the workers, or a session that another fault has ended.
            note("lock refused: " + busy.getMessage());
        }
        note("after lock");
        figures.count(FaultKind.LOCK);
    }

    private void disturbRedis(SplittableRandom random) throws InterruptedException, IOException {
        RedisServer there = redis;
        if (there == null) {
            return;
        }
        figures.count(FaultKind.REDIS);
        if (random.nextInt(3) == 0) {
            note("redis killed");
            there.kill();
            Thread.sleep(random.nextInt(1_000));
            there.restart();
            return;
        }
        note("redis emptied");
        try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), there.port())) {
            socket.getOutputStream()
                    .write("AUTH %s\r\nFLUSHALL\r\nQUIT\r\n"
                            .formatted(there.password())
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        } catch (IOException down) {
            // Another fault has killed it.
        }
    }
}
