// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import static java.util.stream.Collectors.toCollection;

import dev.semel.admin.ClaimStatistics;
import dev.semel.admin.Cleanup;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.spi.ClaimBrowser.Query;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.Snapshot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers that only the store knows: open claims and the backlog of the cleanup. They are read at a scrape, at most every 15
 * seconds, and the work is bounded. If the store does not answer, they are {@code NaN}.
 */
final class StoreGauges {
    /** Claims of this many tenants are read that this instance served in the window, and of as many with known parked claims. */
    static final int MAX_TENANTS = 20;

    /**
     * This many parked claims are remembered and read by their digests: they wait, although their tenants are quiet, or have so
     * many other claims that a page does not show them. After a start, they are taken from the history.
     */
    private static final int MAX_KNOWN = 1_000;

    private static final int MAX_READ = 200;

    private static final Logger LOG = LoggerFactory.getLogger(StoreGauges.class);
    private static final long FRESH_NANOS = Duration.ofSeconds(15).toNanos();
    private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MAX_BACKLOG = 100_000;
    private static final Sample NOTHING = new Sample(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    private final JdbcClaimStore store;
    private final ClaimStatistics statistics;
    private final LongSupplier nanos;
    private volatile Sample sample = NOTHING;
    private Set<ClaimRef> known = Set.of();
    private long sampled;
    private boolean asked;
    private boolean first = true;

    private record Sample(double active, double stale, double parked, double backlog, double lastCleanup) {}

    StoreGauges(JdbcClaimStore store, ClaimStatistics statistics, MeterRegistry registry, LongSupplier nanos) {
        this.store = store;
        this.statistics = statistics;
        this.nanos = nanos;
        gauge(registry, "idempotency.claims.active", "Claims whose work is running", Sample::active);
        gauge(registry, "idempotency.claims.stale", "Claims in progress whose lease has ended", Sample::stale);
        gauge(registry, "idempotency.claims.parked", "Claims that wait for an operator's decision", Sample::parked);
        gauge(registry, "idempotency.cleanup.backlog", "Claims that wait to be deleted", Sample::backlog);
        gauge(registry, "idempotency.cleanup.last", "Start of the last cleanup, in Unix time", Sample::lastCleanup);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<Sample> value) {
        Gauge.Builder<StoreGauges> gauge = Gauge.builder(name, this, gauges -> value.applyAsDouble(gauges.sample))
                .description(description);
        (name.endsWith(".last") ? gauge.baseUnit("seconds") : gauge).register(registry);
    }

    /** Reads the store, unless that was done a moment ago. Blocks. */
    synchronized void refresh() {
        long now = nanos.getAsLong();
        if (asked && now - sampled < FRESH_NANOS) {
            return;
        }
        asked = true;
        sampled = now;
        try {
            if (first) {
                known = new LinkedHashSet<>(store.parked(MAX_KNOWN));
                first = false;
            }
            sample = read(now);
        } catch (StoreException e) {
            LOG.debug("The store did not answer the metrics: {}", e.kind());
            sample = NOTHING;
        }
    }

    private Sample read(long started) {
        long active = 0;
        long stale = 0;
        Set<ClaimRef> parked = stillParked();
        for (String tenant : tenants(parked)) {
            if (nanos.getAsLong() - started > LONGEST_NANOS) {
                break;
            }
            Query open = Query.of(tenant, Query.MAX_LIMIT).withStatus(Status.IN_PROGRESS, Status.UNKNOWN);
            for (ClaimEntry entry : store.page(open).entries()) {
                if (entry.awaitsDecision()) {
                    parked.add(entry.ref());
                } else if (entry.lapsed()) {
                    stale++;
                } else {
                    active++;
                }
            }
        }
        known = parked.stream().limit(MAX_KNOWN).collect(toCollection(LinkedHashSet::new));
        double last = store.last(Cleanup.JOB)
                .map(run -> (double) run.startedAt().getEpochSecond())
                .orElse(0.0);
        return new Sample(active, stale, parked.size(), store.due(MAX_BACKLOG), last);
    }

    /** The known claims that nobody has decided since. */
    private Set<ClaimRef> stillParked() {
        Set<ClaimRef> parked = new LinkedHashSet<>();
        List<ClaimRef> all = List.copyOf(known);
        for (int from = 0; from < all.size(); from += MAX_READ) {
            store.read(all.subList(from, Math.min(all.size(), from + MAX_READ))).values().stream()
                    .filter(Snapshot::awaitsDecision)
                    .forEach(claim -> parked.add(claim.ref()));
        }
        return parked;
    }

    private Set<String> tenants(Set<ClaimRef> parked) {
        Set<String> tenants = parked.stream()
                .map(ClaimRef::tenant)
                .distinct()
                .limit(MAX_TENANTS)
                .collect(toCollection(LinkedHashSet::new));
        statistics.all().keySet().stream().limit(MAX_TENANTS).forEach(tenants::add);
        return tenants;
    }
}
