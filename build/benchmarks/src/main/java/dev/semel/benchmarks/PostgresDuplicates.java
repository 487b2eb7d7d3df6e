// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.SemelBuilder;
import dev.semel.benchmarks.Paired.Effort;
import java.util.List;
import java.util.function.UnaryOperator;

/** Nine of ten calls are duplicates of settled keys, on both sides. */
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
            List<byte[]> settled = RawSql.postgres(database.pool(1)).settle(SETTLED);
            Contender raw = RawSql.atItsBest(RawSql.NAME, CALLERS, size -> {
                RawSql sql = RawSql.postgres(database.pool(size));
                return number -> sql.mostlyDuplicates(number, settled);
            });
            return List.of(
                    Result.rate(
                            "PostgreSQL, 64 blocking callers, 90 % duplicates of settled keys, no cache",
                            raw.name(),
                            paired(database, SemelBuilder::withoutReplayCache, raw, effort),
                            6,
                            Result.NO_GOAL),
                    Result.rate(
                            "same with the cache",
                            raw.name(),
                            paired(database, builder -> builder, raw, effort),
                            16,
                            Result.NO_GOAL));
        }
    }

    private static Paired paired(
            BenchDatabase database, UnaryOperator<SemelBuilder> settings, Contender raw, Effort effort)
            throws Exception {
        try (SemelWork semel = new SemelWork(database.store(8), settings)) {
            semel.settle(SETTLED);
            return Paired.run(
                    new Contender.Blocking("Semel", number -> semel.mostlyDuplicates(number, SETTLED)),
                    raw,
                    CALLERS,
                    effort,
                    database.cpu());
        }
    }
}
