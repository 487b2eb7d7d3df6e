// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** A sweep of a million expired rows while 16 callers claim, and its effect on their p99. */
final class PostgresSweepBench implements Benchmark {
    private static final int CALLERS = 16;
    private static final int EXPIRED = 1_000_000;
    private static final int ROUNDS = 3;

    @Override
    public String name() {
        return "sweep";
    }

    @Override
    public boolean large() {
        return true;
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                SemelWork semel = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            Contender claims = new Contender.Async("Semel", semel::firstTimeAsync);
            LoadRun.run(claims, CALLERS, effort.warmUp());
            List<Double> ratios = new ArrayList<>();
            List<Double> before = new ArrayList<>();
            List<Double> during = new ArrayList<>();
            long swept = 0;
            for (int round = 1; round <= ROUNDS; round++) {
                Progress.note("sweep, round %d of %d: %,d expired rows".formatted(round, ROUNDS, EXPIRED));
                BenchRows.insert(database, EXPIRED, "statement_timestamp() - interval '1 minute'");
                database.execute("CHECKPOINT");
                Measurement quiet = LoadRun.run(claims, CALLERS, effort.round().multipliedBy(2));
                CompletableFuture<Long> sweep = semel.sweep();
                List<Measurement> busy = new ArrayList<>();
                while (!sweep.isDone()) {
                    busy.add(LoadRun.run(claims, CALLERS, effort.round()));
                }
                swept += sweep.join();
                before.add(quiet.micros(0.99));
                during.add(Measurement.together(busy).micros(0.99));
                ratios.add(during.get(round - 1) / before.get(round - 1));
            }
            String detail = String.format(
                    Locale.ROOT,
                    "p99 %,.0f against %,.0f µs; %,d rows swept in %d rounds",
                    Ratio.of(during).median(),
                    Ratio.of(before).median(),
                    swept,
                    ROUNDS);
            return List.of(new Result(
                    "PostgreSQL, sweep of a million rows while 16 callers claim, p99",
                    "before the sweep",
                    Ratio.of(ratios),
                    1.5,
                    1.2,
                    true,
                    detail));
        }
    }
}
