// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.claim.SweepReport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts the events of an engine: {@code Semel.on(store).listener(SemelMetrics.on(registry))}. docs/metrics.md lists the
 * counters.
 *
 * <p>Tags are the scope and the outcome. No tag contains a key, a tenant, a token or an actor. At most {@value #MAX_SCOPES}
 * scopes are counted separately, and all further ones as {@value #OTHER}.
 *
 * <p>As a {@link MeterBinder}, it can be made before its registry. It does not count what happened before it was bound.
 */
public final class SemelMetrics implements ClaimListener, MeterBinder {
    /** How many scopes have counters of their own. */
    public static final int MAX_SCOPES = 200;

    /** The tag of all further scopes. */
    public static final String OTHER = "other";

    private final List<ClaimMeters> bound = new CopyOnWriteArrayList<>();
    private final ScopeTags scopes = new ScopeTags(MAX_SCOPES);

    /** Counts nothing until it is bound. */
    public SemelMetrics() {}

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
        String scope = scopes.of(event.scope());
        for (ClaimMeters meters : bound) {
            meters.count(event.kind(), scope);
        }
    }

    @Override
    public void onSweep(SweepReport report) {
        for (ClaimMeters meters : bound) {
            meters.count(report);
        }
    }
}
