// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** First-time keys on PostgreSQL with many callers, compared with raw SQL: callers that block a thread each, and others. */
final class PostgresClaims implements Benchmark {
    private static final int CALLERS = 64;
    private static final int MANY_CALLERS = 256;

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
            Contender rawAsync = RawSql.postgresAsyncAtItsBest(database, CALLERS);
            Contender blocking = new Contender.Blocking("Semel", semel::firstTime);
            Contender async = new Contender.Async("Semel", semel::firstTimeAsync);
            return List.of(
                    Result.rate(
                            "PostgreSQL, 64 blocking callers, first-time keys",
                            raw.name(),
                            Paired.run(blocking, raw, CALLERS, effort, database.cpu()),
                            4,
                            Result.NO_GOAL),
                    Result.rate(
                            "PostgreSQL, 64 async callers, first-time keys",
                            rawAsync.name(),
                            Paired.run(async, rawAsync, CALLERS, effort, database.cpu()),
                            5,
                            Result.NO_GOAL),
                    Result.rate(
                            "PostgreSQL, 256 blocking callers, first-time keys",
                            raw.name(),
                            Paired.run(blocking, raw, MANY_CALLERS, effort, database.cpu()),
                            5,
                            Result.NO_GOAL));
        }
    }
}
