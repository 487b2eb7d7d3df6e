// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.SemelBuilder;
import dev.semel.benchmarks.Paired.Effort;
import java.util.List;
import java.util.function.UnaryOperator;

/** Nine of ten calls are duplicates of settled keys. The raw SQL has first-time keys only. */
final class PostgresDuplicates implements Benchmark {
    private static final int CALLERS = 64;
    private static final int SETTLED = 20_000;

    @Override
    public String name() {
        return "duplicates";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres()) {
            Progress.note(database.durability());
            Contender raw = RawSql.postgresAtItsBest(database, CALLERS);
            return List.of(
                    Result.rate(
                            "PostgreSQL, 64 callers, 90 % duplicates of settled keys, no cache",
                            raw.name() + ", first-time keys",
                            paired(database, SemelBuilder::withoutReplayCache, raw, effort),
                            3,
                            5),
                    Result.rate(
                            "same with the cache",
                            raw.name() + ", first-time keys",
                            paired(database, builder -> builder, raw, effort),
                            12,
                            20));
        }
    }

    private static Paired paired(
            BenchDatabase database, UnaryOperator<SemelBuilder> settings, Contender raw, Effort effort)
            throws Exception {
        try (SemelWork semel = new SemelWork(database.store(8), settings)) {
            semel.settle(SETTLED);
            return Paired.run(
                    new Contender.Async("Semel", number -> semel.mostlyDuplicates(number, SETTLED)),
                    raw,
                    CALLERS,
                    effort);
        }
    }
}
