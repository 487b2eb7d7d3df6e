// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load balancer as it is commonly configured. It probes {@code /health/ready} and sends requests to the ready instances in turn.
 * If it passes requests on, it sends a request to the next instance when a connection fails or an instance answers 503. That is
 * safe for Semel's requests.
 */
final class Balancer implements AutoCloseable {
    private static final Duration PROBE = Duration.ofMillis(100);

    private final List<RunningServer> instances;
    private final Set<RunningServer> ready = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService prober = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger turns = new AtomicInteger();
    private final int tries;

    private Balancer(List<RunningServer> instances, int tries) {
        this.instances = instances;
        this.tries = tries;
        probe();
        prober.scheduleWithFixedDelay(this::probe, PROBE.toMillis(), PROBE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Sends each request once. */
    static Balancer probing(List<RunningServer> instances) {
        return new Balancer(instances, 1);
    }

    static Balancer passingOn(List<RunningServer> instances) {
        return new Balancer(instances, 10);
    }

    private void probe() {
        for (RunningServer instance : instances) {
            if (isReady(instance)) {
                ready.add(instance);
            } else {
                ready.remove(instance);
            }
        }
    }

    private static boolean isReady(RunningServer instance) {
        try {
            return instance.nobody().attempt(Ask.get("/health/ready")).status() == 200;
        } catch (IOException notThere) {
            return false;
        }
    }

    boolean knowsAsReady(RunningServer instance) {
        return ready.contains(instance);
    }

    /** The answer of any instance. */
    Answer send(Caller caller, Ask ask) {
        Throwable last = null;
        for (int attempt = 0; attempt < tries; attempt++) {
            RunningServer instance = next();
            try {
                Answer answer = instance.here(caller).attempt(ask);
                if (answer.status() != 503) {
                    return answer;
                }
                last = new IOException(answer.toString());
            } catch (IOException connection) {
                last = connection;
            }
            ready.remove(instance);
        }
        throw new AssertionError("%s %s was not answered".formatted(ask.method(), ask.path()), last);
    }

    private RunningServer next() {
        for (int i = 0; i < instances.size(); i++) {
            RunningServer instance = instances.get(Math.floorMod(turns.getAndIncrement(), instances.size()));
            if (ready.contains(instance)) {
                return instance;
            }
        }
        return instances.get(Math.floorMod(turns.getAndIncrement(), instances.size()));
    }

    @Override
    public void close() {
        prober.shutdownNow();
    }
}
