// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import dev.semel.server.http.HttpObserver;
import dev.semel.server.proxy.UpstreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Requests by route and status, and requests to proxied services. Routes are templates, so the number of series is bounded. */
final class HttpMeters implements HttpObserver, UpstreamObserver {
    private final MeterRegistry registry;
    private final Map<Answered, Timer> requests = new ConcurrentHashMap<>();
    private final Map<Answered, Timer> upstream = new ConcurrentHashMap<>();

    HttpMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void answered(String method, String route, int status, long nanos) {
        Answered answered = new Answered(method, route, status);
        Timer known = requests.get(answered);
        (known == null ? requests.computeIfAbsent(answered, this::request) : known).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer request(Answered answered) {
        return Timer.builder("http.server.requests")
                .description("Requests by route and status")
                .tag("method", answered.method())
                .tag("route", answered.route())
                .tag("status", Integer.toString(answered.status()))
                .register(registry);
    }

    @Override
    public void answered(String route, int status, long nanos) {
        Answered answered = new Answered("", route, status);
        Timer known = upstream.get(answered);
        (known == null ? upstream.computeIfAbsent(answered, this::upstream) : known)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer upstream(Answered answered) {
        return Timer.builder("proxy.upstream")
                .description("Requests to proxied services, until the head of the response")
                .tag("route", answered.route())
                .tag(
                        "status",
                        answered.status() == UpstreamObserver.NONE ? "none" : Integer.toString(answered.status()))
                .register(registry);
    }

    private record Answered(String method, String route, int status) {}
}
