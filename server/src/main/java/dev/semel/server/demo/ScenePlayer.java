// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats scenes until it is closed. A scene that fails is logged and tried again. */
final class ScenePlayer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScenePlayer.class);
    private static final int THREADS = 8;

    private final ScheduledExecutorService threads =
            Executors.newScheduledThreadPool(THREADS, DemoThreads.named("semel-demo-traffic"));
    private volatile boolean closed;

    /** A piece of traffic. */
    interface Scene {
        void play() throws InterruptedException;
    }

    /** Plays a scene again and again, with a pause in between. */
    void repeat(Duration pause, Scene scene) {
        threads.scheduleWithFixedDelay(() -> play(scene), 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Plays a scene once, later. */
    void later(Duration delay, Scene scene) {
        if (!closed) {
            threads.schedule(() -> play(scene), delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void play(Scene scene) {
        try {
            scene.play();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (UncheckedIOException e) {
            if (!closed) {
                LOG.warn("A request of the demo failed and will be repeated: {}", String.valueOf(e.getMessage()));
            }
        } catch (RuntimeException e) {
            if (!closed) {
                LOG.warn("A scene of the demo failed", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        DemoThreads.stop(threads);
    }
}
