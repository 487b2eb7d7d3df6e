// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.ClaimEvent;
import dev.semel.StoreCall;
import dev.semel.claim.SweepReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of one registry. */
final class ClaimMeters {
    private final MeterRegistry registry;
    private final Map<MeterLabels, ScopeMeters> scopes = new ConcurrentHashMap<>();
    private final StoreMeters store;
    private final Counter deleted;
    private final Counter released;
    private final Counter parked;

    ClaimMeters(MeterRegistry registry) {
        this.registry = registry;
        this.store = new StoreMeters(registry);
        this.deleted = swept("deleted");
        this.released = swept("released");
        this.parked = swept("parked");
    }

    private Counter swept(String outcome) {
        return Counter.builder("idempotency.swept")
                .description("Rows that a sweep deleted, released or parked")
                .tag("outcome", outcome)
                .register(registry);
    }

    void count(ClaimEvent event, MeterLabels labels) {
        ScopeMeters known = scopes.get(labels);
        ScopeMeters meters =
                known == null ? scopes.computeIfAbsent(labels, added -> new ScopeMeters(registry, added)) : known;
        meters.count(event.kind(), event.ttl());
    }

    void count(StoreCall call) {
        store.count(call);
    }

    void count(SweepReport report) {
        deleted.increment(report.deleted());
        released.increment(report.released());
        parked.increment(report.parked());
    }
}
