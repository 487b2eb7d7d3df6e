// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** One caller on PostgreSQL: the time that Semel adds to two commits. */
final class PostgresSingle implements Benchmark {
    @Override
    public String name() {
        return "single";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                SemelWork semel = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            RawSql raw = RawSql.postgres(database.pool(1));
            return List.of(Result.p50(
                    "PostgreSQL, 1 caller, p50",
                    "raw two-commit SQL",
                    Paired.run(
                            new Contender.Blocking("Semel", semel::firstTime),
                            new Contender.Blocking("raw", raw::firstTime),
                            1,
                            effort,
                            database.cpu()),
                    1.10));
        }
    }
}
