// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.admin.ClaimStatistics;
import dev.semel.admin.HistoryRecorder;
import dev.semel.benchmarks.Paired.Effort;
import dev.semel.micrometer.SemelMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;

/** The CPU time that metrics, statistics and history add to a call: an engine with the listeners of the server, and one without. */
final class MetricsCost implements Benchmark {
    private static final int CALLERS = 64;
    private static final int SETTLED = 2_000;
    private static final double MAX = 1.03;

    @Override
    public String name() {
        return "metrics";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (BenchDatabase database = BenchDatabase.postgres();
                HistoryRecorder history = new HistoryRecorder(database.store(2));
                SemelWork counted = new SemelWork(
                        database.store(8),
                        builder -> builder.listener(SemelMetrics.on(registry))
                                .listener(new ClaimStatistics(Duration.ofMinutes(15)))
                                .listener(history));
                SemelWork plain = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            counted.settle(SETTLED);
            plain.settle(SETTLED);
            Result first = cost(
                    "first-time keys",
                    new Contender.Async("with metrics", counted::firstTimeAsync),
                    new Contender.Async("without", plain::firstTimeAsync),
                    effort);
            Result repeated = cost(
                    "90 % duplicates",
                    new Contender.Async("with metrics", number -> counted.mostlyDuplicatesAsync(number, SETTLED)),
                    new Contender.Async("without", number -> plain.mostlyDuplicatesAsync(number, SETTLED)),
                    effort);
            requireCounted(registry);
            return List.of(first, repeated);
        } finally {
            registry.close();
        }
    }

    private static Result cost(String work, Contender counted, Contender plain, Effort effort) throws Exception {
        return Result.cpu(
                "PostgreSQL, 64 callers, " + work + ", with metrics: CPU of this process",
                "no listeners",
                Paired.run(counted, plain, CALLERS, effort.manyRounds(), Cpu.OWN)
                        .ownCpu(),
                MAX);
    }

    private static void requireCounted(PrometheusMeterRegistry registry) {
        if (registry.find("idempotency.miss").counters().isEmpty()
                || registry.find("idempotency.hit").counters().isEmpty()) {
            throw new IllegalStateException("The listeners counted nothing");
        }
    }
}
