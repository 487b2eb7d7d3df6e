// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import dev.semel.spi.CacheEpoch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Checks whether the database responds. Concurrent calls, and calls within a second of the last check, share its
 * result. Many callers therefore use only one connection.
 */
public final class DatabaseHealthCheck implements HealthCheck, AutoCloseable {
    private static final long FRESH_NANOS = 1_000_000_000L;
    private static final long MAX_WAIT_MILLIS = 2_000;

    private final CacheEpoch store;
    private final ExecutorService asker = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "semel-health");
        thread.setDaemon(true);
        return thread;
    });
    private CompletableFuture<State> latest = CompletableFuture.completedFuture(State.DOWN);
    private long answered = System.nanoTime() - 2 * FRESH_NANOS;

    public DatabaseHealthCheck(CacheEpoch store) {
        this.store = store;
    }

    @Override
    public String name() {
        return "database";
    }

    @Override
    public synchronized CompletionStage<State> state() {
        if (latest.isDone() && System.nanoTime() - answered > FRESH_NANOS) {
            latest = CompletableFuture.supplyAsync(this::ask, asker);
        }
        return latest.copy().completeOnTimeout(State.DOWN, MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private State ask() {
        State state = State.UP;
        try {
            store.current();
        } catch (RuntimeException e) {
            state = State.DOWN;
        }
        synchronized (this) {
            answered = System.nanoTime();
        }
        return state;
    }

    @Override
    public void close() {
        asker.shutdownNow();
    }
}
