// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent;
import dev.semel.ClaimEvent.Kind;
import dev.semel.ClaimListener;
import dev.semel.internal.ScopeLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happened in the last minutes, by tenant and scope, and how long work took. The counts are those of this
 * process; they are lost when it ends.
 *
 * <p>Memory is bounded: {@value #MAX_SERIES} pairs of tenant and scope have counts, of all tenants together. A tenth of them is
 * reserved for further scopes of a tenant, which are counted as {@code other}. What exceeds that is not counted. Pairs without
 * events in the window make room for others.
 */
public final class ClaimStatistics implements ClaimListener {
    /** How many pairs of tenant and scope have counts. */
    public static final int MAX_SERIES = 1_000;

    /** The others are reserved for the label {@link ScopeLabels#OTHER}. */
    private static final int MAX_SEPARATE = MAX_SERIES / 10 * 9;

    private static final int MAX_SCOPES = 100;

    private final Duration window;
    private final LongSupplier nanos;
    private final Supplier<Instant> clock;
    private final Instant started;
    private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();
    private final long pauseOfPruning;
    private volatile int all;
    private volatile long pruned;
    private final RunStarts running = new RunStarts();

    /** @param window how far back the counts go */
    public ClaimStatistics(Duration window) {
        this(window, System::nanoTime, DisplayClock::now);
    }

    ClaimStatistics(Duration window, LongSupplier nanos, Supplier<Instant> clock) {
        if (window.compareTo(Duration.ofSeconds(1)) < 0 || window.compareTo(Duration.ofDays(7)) > 0) {
            throw new IllegalArgumentException("The window must be 1 second to 7 days, but is " + window);
        }
        this.window = window;
        this.nanos = nanos;
        this.pauseOfPruning = window.toNanos() / CountWindow.SLOTS;
        this.pruned = nanos.getAsLong();
        this.clock = clock;
        this.started = clock.get();
    }

    /** How far back the counts go. */
    public Duration window() {
        return window;
    }

    @Override
    public void onClaim(ClaimEvent event) {
        Kind kind = event.kind();
        Tenant tenant = tenants.get(event.ref().tenant());
        CountWindow series = series(tenant, event);
        if (series == null) {
            return;
        }
        long now = nanos.getAsLong();
        OptionalLong began = OptionalLong.empty();
        switch (kind) {
            case GRANTED, RETRIED, TAKEN_OVER -> running.began(event.ref(), now);
            case SUCCEEDED, FAILED, REJECTED, FAILED_RETRYABLY, PARKED -> began = running.ended(event.ref());
            default -> {
                // Only counted.
            }
        }
        if (began.isPresent()) {
            series.add(now, kind, now - began.getAsLong());
        } else {
            series.add(now, kind);
        }
        RateSeries.Line line = RateSeries.Line.of(kind);
        if (line != null) {
            // The first event of a tenant has added it.
            Tenant counted = tenant == null ? tenants.get(event.ref().tenant()) : tenant;
            if (counted != null) {
                counted.count(now, line);
            }
        }
    }

    /** Needs no lock for a known pair, nor while nothing can be added. */
    private @Nullable CountWindow series(@Nullable Tenant tenant, ClaimEvent event) {
        CountWindow known = tenant == null ? null : tenant.find(event.scope());
        if (known != null) {
            return known;
        }
        CountWindow other = tenant == null ? null : tenant.series.get(ScopeLabels.OTHER);
        boolean full = all >= MAX_SEPARATE || (tenant != null && tenant.isFull());
        return full && !mayPrune() && (other != null || all >= MAX_SERIES) ? other : added(event);
    }

    private boolean mayPrune() {
        return nanos.getAsLong() - pruned > pauseOfPruning;
    }

    private synchronized @Nullable CountWindow added(ClaimEvent event) {
        String name = event.ref().tenant();
        Tenant before = tenants.get(name);
        if ((all >= MAX_SEPARATE || (before != null && before.isFull())) && mayPrune()) {
            prune();
        }
        if (all >= MAX_SERIES) {
            return null;
        }
        return tenants.computeIfAbsent(name, first -> new Tenant()).add(event.scope());
    }

    /** Forgets series without events in the window. */
    private void prune() {
        pruned = nanos.getAsLong();
        tenants.values().forEach(Tenant::prune);
        tenants.values().removeIf(tenant -> tenant.series.isEmpty());
        all = count();
    }

    private int count() {
        return tenants.values().stream()
                .mapToInt(tenant -> tenant.series.size())
                .sum();
    }

    /** The counts of a tenant by scope, in the window that ends now. Scopes without events are left out. */
    public Map<String, ScopeCounts> of(String tenant) {
        Tenant counted = tenants.get(tenant);
        return counted == null ? Map.of() : counted.counts(nanos.getAsLong());
    }

    /** The counts of all scopes of a tenant, in the window that ends now. */
    ScopeCounts total(String tenant) {
        Tenant counted = tenants.get(tenant);
        return counted == null ? ScopeCounts.of(Map.of(), new RunTimes()) : counted.total(nanos.getAsLong());
    }

    /** The counts of a tenant for a chart, oldest first. */
    List<int[]> rates(String tenant) {
        Tenant counted = tenants.get(tenant);
        long now = nanos.getAsLong();
        return counted == null ? new RateSeries().points(now) : counted.points(now);
    }

    /** How long the last point of the chart has lasted. */
    Duration sinceStep() {
        return RateSeries.sinceStep(nanos.getAsLong());
    }

    /** How many duplicates of a tenant did not run today. */
    DailyCount.Counted prevented(String tenant) {
        Tenant counted = tenants.get(tenant);
        return counted == null ? new DailyCount(started, clock).counted() : counted.prevented();
    }

    /** The counts of all tenants. */
    public Map<String, Map<String, ScopeCounts>> all() {
        Map<String, Map<String, ScopeCounts>> all = new TreeMap<>();
        tenants.forEach((name, tenant) -> {
            Map<String, ScopeCounts> counts = tenant.counts(nanos.getAsLong());
            if (!counts.isEmpty()) {
                all.put(name, counts);
            }
        });
        return all;
    }

    /** Series are added and removed under the lock of the statistics. */
    private final class Tenant {
        private final Map<String, CountWindow> series = new ConcurrentHashMap<>();
        private volatile ScopeLabels labels = new ScopeLabels(MAX_SCOPES);

        private final RateSeries rates = new RateSeries();
        private final DailyCount prevented = new DailyCount(started, clock);

        void count(long now, RateSeries.Line line) {
            rates.add(now, line);
            if (line == RateSeries.Line.HITS || line == RateSeries.Line.IN_PROGRESS) {
                prevented.add(now);
            }
        }

        List<int[]> points(long now) {
            return rates.points(now);
        }

        DailyCount.Counted prevented() {
            return prevented.counted();
        }

        @Nullable
        CountWindow find(String scope) {
            return series.get(ScopeLabels.withoutIds(scope));
        }

        boolean isFull() {
            return series.size() >= MAX_SCOPES;
        }

        CountWindow add(String scope) {
            String label = all < MAX_SEPARATE ? labels.of(scope) : ScopeLabels.OTHER;
            CountWindow known = series.get(label);
            if (known != null) {
                return known;
            }
            CountWindow added = new CountWindow(window);
            series.put(label, added);
            all = ClaimStatistics.this.count();
            return added;
        }

        void prune() {
            long now = nanos.getAsLong();
            series.values().removeIf(one -> one.isEmpty(now));
            ScopeLabels kept = new ScopeLabels(MAX_SCOPES);
            series.keySet().forEach(kept::of);
            labels = kept;
        }

        Map<String, ScopeCounts> counts(long now) {
            Map<String, ScopeCounts> counts = new TreeMap<>();
            series.forEach((scope, one) -> {
                ScopeCounts sum = sum(now, List.of(one));
                if (!sum.isEmpty()) {
                    counts.put(scope, sum);
                }
            });
            return counts;
        }

        ScopeCounts total(long now) {
            return sum(now, series.values());
        }

        private static ScopeCounts sum(long now, Collection<CountWindow> windows) {
            Map<Kind, Long> events = new EnumMap<>(Kind.class);
            RunTimes times = new RunTimes();
            windows.forEach(one -> one.addTo(now, events, times));
            return ScopeCounts.of(events, times);
        }
    }
}
