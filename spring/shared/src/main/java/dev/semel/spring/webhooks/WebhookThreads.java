// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Threads for handlers, which may block. A closing context waits for running handlers while beans and the engine exist. */
final class WebhookThreads extends ThreadPoolExecutor implements SmartLifecycle {
    /** More waiting deliveries than that are answered with 503. */
    private static final int MAX_WAITING = 100;

    /** After the web server has stopped, before the engine refuses calls that handlers make. */
    private static final int PHASE = Integer.MAX_VALUE / 2 - 1;

    private final Duration closeTimeout;
    private final ConfigurableApplicationContext context;
    private volatile boolean running;

    WebhookThreads(int threads, Duration closeTimeout, ConfigurableApplicationContext context) {
        super(
                threads,
                threads,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING),
                new CustomizableThreadFactory("semel-webhook-"));
        this.closeTimeout = closeTimeout;
        this.context = context;
        allowCoreThreadTimeOut(true);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        // A context that is only stopped or paused may start again.
        if (context.isClosed()) {
            shutdown();
            try {
                awaitTermination(closeTimeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
