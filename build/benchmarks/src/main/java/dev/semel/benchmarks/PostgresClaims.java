// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** First-time keys on PostgreSQL with many callers, compared with raw SQL. */
final class PostgresClaims implements Benchmark {
    private static final int CALLERS = 64;

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                SemelWork semel = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            Contender raw = RawSql.postgresAtItsBest(database, CALLERS);
            return List.of(
                    Result.rate(
                            "PostgreSQL, 64 callers, first-time keys",
                            raw.name(),
                            Paired.run(new Contender.Async("Semel", semel::firstTimeAsync), raw, CALLERS, effort),
                            3.5,
                            5),
                    Result.rate(
                            "same, callers that block a thread each",
                            raw.name(),
                            Paired.run(new Contender.Blocking("Semel", semel::firstTime), raw, CALLERS, effort),
                            1,
                            3.5));
        }
    }
}
