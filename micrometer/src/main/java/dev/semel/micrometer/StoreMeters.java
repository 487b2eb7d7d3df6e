// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.StoreCall;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How long the store takes, how many commands share a call, and how long they waited for it. */
final class StoreMeters {
    private final Map<StoreCall.Kind, Timer> answered = new EnumMap<>(StoreCall.Kind.class);
    private final Map<StoreCall.Kind, Timer> failed = new EnumMap<>(StoreCall.Kind.class);
    private final Map<StoreCall.Kind, DistributionSummary> sizes = new EnumMap<>(StoreCall.Kind.class);
    private final Map<StoreCall.Kind, Timer> waits = new EnumMap<>(StoreCall.Kind.class);

    /** Makes all meters at once, so that the maps are only read afterwards. */
    StoreMeters(MeterRegistry registry) {
        for (StoreCall.Kind kind : StoreCall.Kind.values()) {
            Tags tags = Tags.of("kind", kind.name().toLowerCase(Locale.ROOT));
            answered.put(kind, timer(registry, tags.and("outcome", "answered")));
            failed.put(kind, timer(registry, tags.and("outcome", "failed")));
            if (kind != StoreCall.Kind.SWEEP) {
                sizes.put(
                        kind,
                        DistributionSummary.builder("idempotency.store.batch")
                                .description("Commands or reads in a call of the store")
                                .tags(tags)
                                .register(registry));
                waits.put(
                        kind,
                        Timer.builder("idempotency.lane.wait")
                                .description("How long the first command of a batch waited for its call")
                                .tags(tags)
                                .register(registry));
            }
        }
    }

    private static Timer timer(MeterRegistry registry, Tags tags) {
        return Timer.builder("idempotency.store.call")
                .description("Calls of the store")
                .tags(tags)
                .register(registry);
    }

    void count(StoreCall call) {
        Timer timer = (call.answered() ? answered : failed).get(call.kind());
        if (timer != null) {
            timer.record(call.took());
        }
        DistributionSummary size = sizes.get(call.kind());
        if (size != null) {
            size.record(call.size());
        }
        Timer wait = waits.get(call.kind());
        if (wait != null) {
            wait.record(call.waited());
        }
    }
}
