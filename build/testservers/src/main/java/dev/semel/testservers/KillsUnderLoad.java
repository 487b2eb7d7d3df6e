// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Kills and restarts a server several times while clients use it. */
public final class KillsUnderLoad {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final TestServer server;
    private final int kills;
    private volatile boolean stopped;

    public KillsUnderLoad(TestServer server, int kills) {
        this.server = server;
        this.kills = kills;
    }

    /** Whether the clients are to end. A client that retries asks before each retry. */
    public boolean stopped() {
        return stopped;
    }

    /**
     * Runs clients until the last restart, and waits for their end. Between two kills the progress grows by a minimum.
     *
     * @param clients how many threads repeat the step
     * @param step one step of a client
     * @param progress a number that grows with every success
     * @param minimum the growth that is awaited before each kill, and after the last restart
     */
    public void run(int clients, Runnable step, IntSupplier progress, int minimum) {
        run(clients, step, progress, minimum, () -> {});
    }

    /**
     * The same, but the server is restarted only after a client has noticed the kill.
     *
     * @param noticed a number that grows with every failure that a client notices
     */
    public void run(int clients, Runnable step, IntSupplier progress, int minimum, IntSupplier noticed) {
        run(clients, step, progress, minimum, () -> awaitGrowth(noticed, 1));
    }

    private void run(int clients, Runnable step, IntSupplier progress, int minimum, Runnable afterKill) {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                running.add(CompletableFuture.runAsync(() -> repeat(step), threads));
            }
            for (int kill = 0; kill < kills; kill++) {
                awaitGrowth(progress, minimum);
                server.kill();
                afterKill.run();
                server.restart();
            }
            awaitGrowth(progress, minimum);
            stopped = true;
            running.forEach(CompletableFuture::join);
        } finally {
            stopped = true;
            threads.shutdownNow();
        }
    }

    private void repeat(Runnable step) {
        while (!stopped) {
            step.run();
        }
    }

    private static void awaitGrowth(IntSupplier number, int growth) {
        int before = number.getAsInt();
        BooleanSupplier grown = () -> number.getAsInt() >= before + growth;
        if (!Await.until(LIMIT, grown)) {
            throw new AssertionError("%d instead of %d within %s".formatted(number.getAsInt(), before + growth, LIMIT));
        }
    }
}
