// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.claim.ClaimRef;
import dev.semel.internal.ScopeLabels;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happened in the last minutes, by tenant and scope, and how long work took. The counts are those of this
 * process; they are lost when it ends.
 *
 * <p>Memory is bounded: {@value #MAX_SERIES} pairs of tenant and scope are counted separately, further scopes of a tenant
 * are counted as {@code other}, and further tenants not at all.
 */
public final class ClaimStatistics implements ClaimListener {
    /** How many pairs of tenant and scope have counts of their own. */
    public static final int MAX_SERIES = 1_000;

    private static final int MAX_SCOPES = 100;
    private static final int MAX_RUNNING = 50_000;

    private final Duration window;
    private final LongSupplier nanos;
    private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();
    private final Cache<ClaimRef, Long> running = Caffeine.newBuilder()
            .maximumSize(MAX_RUNNING)
            // On the caller's thread: it is little work, and a task for another thread costs more.
            .executor(Runnable::run)
            .build();

    /** @param window how far back the counts go */
    public ClaimStatistics(Duration window) {
        this(window, System::nanoTime);
    }

    ClaimStatistics(Duration window, LongSupplier nanos) {
        if (window.compareTo(Duration.ofSeconds(1)) < 0 || window.compareTo(Duration.ofDays(7)) > 0) {
            throw new IllegalArgumentException("The window must be 1 second to 7 days, but is " + window);
        }
        this.window = window;
        this.nanos = nanos;
    }

    /** How far back the counts go. */
    public Duration window() {
        return window;
    }

    @Override
    public void onClaim(ClaimEvent event) {
        CountWindow series = series(event);
        if (series == null) {
            return;
        }
        long now = nanos.getAsLong();
        switch (event.kind()) {
            case GRANTED, RETRIED, TAKEN_OVER -> running.put(event.ref(), now);
            case SUCCEEDED, FAILED, REJECTED, FAILED_RETRYABLY, PARKED -> {
                Long since = running.getIfPresent(event.ref());
                if (since != null) {
                    running.invalidate(event.ref());
                    series.took(now, now - since);
                }
            }
            default -> {
                // Only counted.
            }
        }
        series.add(now, event.kind());
    }

    private @Nullable CountWindow series(ClaimEvent event) {
        Tenant tenant = tenants.get(event.ref().tenant());
        if (tenant == null) {
            if (tenants.size() >= MAX_SERIES) {
                return null;
            }
            tenant = tenants.computeIfAbsent(event.ref().tenant(), name -> new Tenant());
        }
        return tenant.series(event.scope());
    }

    /** The counts of a tenant by scope, in the window that ends now. Scopes without events are left out. */
    public Map<String, ScopeCounts> of(String tenant) {
        Tenant counted = tenants.get(tenant);
        return counted == null ? Map.of() : counted.counts(nanos.getAsLong());
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

    private final class Tenant {
        private final ScopeLabels labels = new ScopeLabels(MAX_SCOPES);
        private final Map<String, CountWindow> series = new ConcurrentHashMap<>();

        CountWindow series(String scope) {
            String label = labels.of(scope);
            CountWindow known = series.get(label);
            // Reading first needs no lock.
            return known == null ? series.computeIfAbsent(label, first -> new CountWindow(window)) : known;
        }

        Map<String, ScopeCounts> counts(long now) {
            Map<String, ScopeCounts> counts = new TreeMap<>();
            series.forEach((scope, one) -> {
                ScopeCounts sum = one.sum(now);
                if (!sum.isEmpty()) {
                    counts.put(scope, sum);
                }
            });
            return counts;
        }
    }
}
