// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;

/** Claims on PostgreSQL by many callers and by one, against raw SQL and against the peers. */
final class PostgresClaims implements Benchmark {
    private static final int CALLERS = 64;
    private static final int SETTLED = 20_000;

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        List<Result> results = new ArrayList<>();
        try (BenchDatabase database = BenchDatabase.postgres();
                SemelWork semel = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            Contender.Blocking raw = RawSql.atItsBest("raw two-commit SQL", CALLERS, size -> {
                RawSql sql = RawSql.postgres(database.pool(size));
                return sql::firstTime;
            });
            Contender async = new Contender.Async("Semel", semel::firstTimeAsync);
            results.add(Result.rate(
                    "PostgreSQL, 64 callers, first-time keys",
                    raw.name(),
                    Paired.run(async, raw, CALLERS, effort),
                    3.5,
                    5));
            results.add(Result.rate(
                    "same, blocking callers",
                    raw.name(),
                    Paired.run(new Contender.Blocking("Semel", semel::firstTime), raw, CALLERS, effort),
                    1,
                    3.5));
            semel.settle(SETTLED);
            results.add(Result.rate(
                    "same, 90 % duplicates of settled keys, no cache",
                    raw.name() + " (first-time)",
                    Paired.run(
                            new Contender.Async("Semel", number -> semel.mostlyDuplicates(number, SETTLED)),
                            raw,
                            CALLERS,
                            effort),
                    3,
                    5));
            RawSql single = RawSql.postgres(database.pool(1));
            results.add(Result.p50(
                    "PostgreSQL, 1 caller, p50",
                    "raw two-commit SQL",
                    Paired.run(
                            new Contender.Blocking("Semel", semel::firstTime),
                            new Contender.Blocking("raw", single::firstTime),
                            1,
                            effort),
                    1.10,
                    1.00));
        }
        return results;
    }
}
