// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import io.vertx.core.Vertx;
import java.time.Duration;

/** Detects a service that sends nothing for too long. Time while reading is paused does not count. */
final class StallTimer {
    private final Vertx vertx;
    private final long limitMillis;
    private final Runnable onStall;
    private long since = System.nanoTime();
    private boolean paused;
    private boolean stopped;
    private long timer;

    /** Starts the timer. Use it on one event loop. */
    StallTimer(Vertx vertx, Duration limit, Runnable onStall) {
        this.vertx = vertx;
        this.limitMillis = limit.toMillis();
        this.onStall = onStall;
        this.timer = vertx.setTimer(limitMillis, fired -> check());
    }

    /** Restarts the timer after data arrived. */
    void touch() {
        since = System.nanoTime();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        touch();
    }

    void stop() {
        if (!stopped) {
            stopped = true;
            vertx.cancelTimer(timer);
        }
    }

    private void check() {
        long left = limitMillis - (System.nanoTime() - since) / 1_000_000;
        if (stopped) {
            return;
        }
        if (paused || left > 0) {
            timer = vertx.setTimer(paused ? limitMillis : Math.max(1, left), fired -> check());
        } else {
            stopped = true;
            onStall.run();
        }
    }
}
