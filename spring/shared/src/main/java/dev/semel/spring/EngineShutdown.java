// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Semel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Waits for running calls when the context closes, so that their outcomes are stored before the engine, the pools and the other
 * beans are destroyed. A context that is only stopped or paused may start again, so it keeps accepting calls.
 */
final class EngineShutdown implements SmartLifecycle {
    /**
     * After web servers, message listeners and task executors, which stop earlier and may still make calls; before phase 0, in
     * which pools may be suspended.
     */
    static final int PHASE = Integer.MAX_VALUE / 4;

    private static final Logger LOG = LoggerFactory.getLogger(EngineShutdown.class);

    private final ConfigurableApplicationContext context;
    private final Duration timeout;
    private volatile boolean running;

    EngineShutdown(ConfigurableApplicationContext context, Duration timeout) {
        this.context = context;
        this.timeout = timeout;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (!context.isClosed()) {
            return;
        }
        ListableBeanFactory beans = context.getBeanFactory();
        for (String name : beans.getBeanNamesForType(Semel.class, false, false)) {
            // An engine that was never used is not created now.
            if (context.getBeanFactory().getSingleton(name) instanceof Semel semel && !semel.drain(timeout)) {
                LOG.warn(
                        "Some calls were still running {} after the shutdown began (semel.close-timeout). Their outcomes may not be"
                                + " stored, and other instances may run them again when their leases have ended",
                        timeout);
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
