// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Counts in every registry that it was bound to, and nothing before. */
final class BoundCounters {
    private final List<MeterRegistry> bound = new CopyOnWriteArrayList<>();

    void bindTo(MeterRegistry registry) {
        bound.add(Objects.requireNonNull(registry, "A registry must not be null"));
    }

    void count(String name, String description, Tags tags) {
        for (MeterRegistry registry : bound) {
            Counter.builder(name)
                    .description(description)
                    .tags(tags)
                    .register(registry)
                    .increment();
        }
    }
}
