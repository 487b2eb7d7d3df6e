// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.StoreCall;
import dev.semel.claim.SweepReport;
import dev.semel.internal.ScopeLabels;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts the events of an engine: {@code Semel.on(store).listener(SemelMetrics.on(registry))}. docs/metrics.md lists the
 * counters.
 *
 * <p>Tags are the scope and the outcome. No tag contains a key, a token or an actor, and none a tenant unless {@link #byTenant}
 * was chosen. At most {@value #MAX_SCOPES}
 * scopes are counted separately, and all further ones as {@value #OTHER}.
 *
 * <p>As a {@link MeterBinder}, it can be made before its registry. It does not count what happened before it was bound.
 */
public final class SemelMetrics implements ClaimListener, MeterBinder {
    /** How many scopes have counters of their own. */
    public static final int MAX_SCOPES = 200;

    /** The tag of all further scopes. */
    public static final String OTHER = ScopeLabels.OTHER;

    /** How many tenants have counters of their own, if tenants are counted separately. */
    public static final int MAX_TENANTS = 100;

    /** How many pairs of tenant and scope have counters of their own, if tenants are counted separately. */
    public static final int MAX_PAIRS = 1_000;

    private final List<ClaimMeters> bound = new CopyOnWriteArrayList<>();
    private final ScopeLabels scopes = new ScopeLabels(MAX_SCOPES);
    private final ScopeLabels tenants = new ScopeLabels(MAX_TENANTS);
    private final Set<MeterLabels> pairs = ConcurrentHashMap.newKeySet();
    private final boolean byTenant;

    /** Counts nothing until it is bound. */
    public SemelMetrics() {
        this(false);
    }

    private SemelMetrics(boolean byTenant) {
        this.byTenant = byTenant;
    }

    /**
     * Counts tenants separately, with the tag {@code tenant}: at most {@value #MAX_TENANTS}, and all further ones as {@value
     * #OTHER}. Every scope of every tenant is then a series of its own, up to {@value #MAX_PAIRS}; further scopes of a tenant
     * are counted as {@value #OTHER}. Counts nothing until it is bound.
     */
    public static SemelMetrics byTenant() {
        return new SemelMetrics(true);
    }

    /** Counts in this registry. */
    public static SemelMetrics on(MeterRegistry registry) {
        SemelMetrics metrics = new SemelMetrics();
        metrics.bindTo(registry);
        return metrics;
    }

    /** Counts in this registry too. */
    @Override
    public void bindTo(MeterRegistry registry) {
        bound.add(new ClaimMeters(Objects.requireNonNull(registry, "A registry must not be null")));
    }

    @Override
    public void onClaim(ClaimEvent event) {
        MeterLabels labels = labels(event);
        for (ClaimMeters meters : bound) {
            meters.count(event, labels);
        }
    }

    private MeterLabels labels(ClaimEvent event) {
        String scope = scopes.of(event.scope());
        return byTenant ? bounded(scope, tenants.of(event.ref().tenant())) : new MeterLabels(scope, null);
    }

    private MeterLabels bounded(String scope, String tenant) {
        MeterLabels pair = new MeterLabels(scope, tenant);
        if (pairs.contains(pair)) {
            return pair;
        }
        MeterLabels admitted = pairs.size() < MAX_PAIRS ? pair : new MeterLabels(OTHER, tenant);
        pairs.add(admitted);
        return admitted;
    }

    @Override
    public void onStoreCall(StoreCall call) {
        for (ClaimMeters meters : bound) {
            meters.count(call);
        }
    }

    @Override
    public void onSweep(SweepReport report) {
        for (ClaimMeters meters : bound) {
            meters.count(report);
        }
    }
}
