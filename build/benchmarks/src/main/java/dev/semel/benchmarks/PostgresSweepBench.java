// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.admin.Cleanup;
import dev.semel.benchmarks.Paired.Effort;
import dev.semel.jdbc.JdbcClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The deletion of a million expired rows while 16 callers claim, and its effect on their p99. */
final class PostgresSweepBench implements Benchmark {
    private static final int CALLERS = 16;
    private static final int EXPIRED = 1_000_000;
    private static final int ROUNDS = 3;
    private static final Duration KEPT = Duration.ofDays(90);

    @Override
    public String name() {
        return "sweep";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres()) {
            JdbcClaimStore store = database.store(8);
            try (SemelWork semel = new SemelWork(store)) {
                Progress.note(database.durability());
                Contender claims = new Contender.Async("Semel", semel::firstTimeAsync);
                LoadRun.run(claims, CALLERS, effort.warmUp());
                Cleanup cleanup = Cleanup.of(store, KEPT, null, List.of(), List.of());
                return List.of(
                        measured("sweep of the engine", semel::sweep, claims, database, effort),
                        measured("cleanup of the server", () -> rowsOf(cleanup), claims, database, effort));
            }
        }
    }

    private static CompletableFuture<Long> rowsOf(Cleanup cleanup) {
        return CompletableFuture.supplyAsync(
                () -> cleanup.run(Duration.ZERO).orElseThrow().claims());
    }

    private static Result measured(
            String name,
            Supplier<CompletableFuture<Long>> start,
            Contender claims,
            BenchDatabase database,
            Effort effort)
            throws Exception {
        List<Double> ratios = new ArrayList<>();
        List<Double> before = new ArrayList<>();
        List<Double> during = new ArrayList<>();
        long deleted = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            Progress.note("%s, round %d of %d: %,d expired rows".formatted(name, round, ROUNDS, EXPIRED));
            BenchRows.insert(database, EXPIRED, "statement_timestamp() - interval '1 minute'");
            database.execute("CHECKPOINT");
            Measurement quiet = LoadRun.run(claims, CALLERS, effort.round().multipliedBy(2));
            CompletableFuture<Long> running = start.get();
            List<Measurement> busy = new ArrayList<>();
            while (!running.isDone()) {
                busy.add(LoadRun.run(claims, CALLERS, effort.round()));
            }
            deleted += running.join();
            before.add(quiet.micros(0.99));
            during.add(Measurement.together(busy).micros(0.99));
            ratios.add(during.get(round - 1) / before.get(round - 1));
        }
        String detail = String.format(
                Locale.ROOT,
                "p99 %,.0f / %,.0f µs; %,d rows deleted in %d rounds",
                Ratio.of(during).median(),
                Ratio.of(before).median(),
                deleted,
                ROUNDS);
        return new Result(
                "PostgreSQL, %s over a million rows while 16 callers claim, p99".formatted(name),
                "before it",
                Ratio.of(ratios),
                "x",
                1.5,
                true,
                null,
                detail);
    }
}
