// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import dev.semel.torture.history.RecordedEvent;

/** Notices when the process does not run: paused, collecting garbage, or waiting for a core. */
final class StallWatch implements Runnable {
    private static final long TICK_MILLIS = 5;
    private static final long STALL = 40_000_000L;

    private final Recorder recorder;

    StallWatch(Recorder recorder) {
        this.recorder = recorder;
    }

    static void start(Recorder recorder) {
        Thread thread = new Thread(new StallWatch(recorder), "stall-watch");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        long last = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(TICK_MILLIS);
                long now = System.nanoTime();
                if (now - last > STALL) {
                    recorder.write(new RecordedEvent.Stalled(now, "", last));
                }
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
