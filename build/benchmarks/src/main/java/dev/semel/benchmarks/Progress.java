// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on standard error, with the time that is left. It advances by the expected time of each benchmark. */
final class Progress implements AutoCloseable {
    /** So many columns cover the bar. */
    private static final int WIDTH = 100;

    private final ProgressBar bar;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private final Position position = new Position();

    /** @param expected the time of all benchmarks together */
    Progress(Duration expected) {
        bar = new ProgressBarBuilder()
                .setTaskName("bench")
                .setInitialMax(Math.max(1, expected.toSeconds()))
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(1_000)
                .build();
        timer.scheduleAtFixedRate(() -> bar.stepTo(position.second()), 1, 1, TimeUnit.SECONDS);
    }

    /** Starts a benchmark that is expected to take this long. */
    void step(String name, Duration expected) {
        position.next(expected);
        bar.setExtraMessage(" " + name);
    }

    void done() {
        position.finish();
        bar.stepTo(position.second());
    }

    /** A line above the bar. */
    static void note(String text) {
        System.err.println("\r" + text + " ".repeat(Math.max(0, WIDTH - text.length())));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        bar.close();
    }

    /** How far a run is, in expected seconds. A benchmark that takes longer than expected waits at its end. */
    static final class Position {
        private long begin;
        private long end;
        private long elapsed;

        synchronized void next(Duration expected) {
            begin = end;
            end += expected.toSeconds();
            elapsed = 0;
        }

        /** Called once a second. The whole bar is shown only when the benchmark has ended. */
        synchronized long second() {
            long at = Math.min(Math.max(begin, end - 1), begin + elapsed);
            elapsed++;
            return at;
        }

        synchronized void finish() {
            begin = end;
        }
    }
}
