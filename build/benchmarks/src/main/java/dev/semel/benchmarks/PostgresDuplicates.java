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
    private static final int LOADERS = 16;

    @Override
    public String name() {
        return "duplicates";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres()) {
            Progress.note(database.durability());
            Rounds rounds = new Rounds(effort, database.cpu());
            List<byte[]> settled = RawSql.postgres(database.pool(LOADERS)).settle(SETTLED, database.threads(LOADERS));
            Contender raw = rounds.bestPool(RawSql.NAME, CALLERS, size -> {
                RawSql sql = RawSql.postgres(database.pool(size));
                return number -> sql.mostlyDuplicates(number, settled);
            });
            return List.of(
                    Result.rate(
                            "PostgreSQL, 64 blocking callers, 90 % duplicates of settled keys, no cache",
                            raw.name(), paired(database, SemelBuilder::withoutReplayCache, raw, rounds), 6),
                    Result.rate(
                            "PostgreSQL, 64 blocking callers, 90 % duplicates of settled keys, with the cache",
                            raw.name(), paired(database, builder -> builder, raw, rounds), 16));
        }
    }

    private static Paired paired(
            BenchDatabase database, UnaryOperator<SemelBuilder> settings, Contender raw, Rounds rounds)
            throws Exception {
        try (SemelWork semel = new SemelWork(database.store(8), settings)) {
            semel.settle(SETTLED);
            return rounds.of(
                    new Contender.Blocking("Semel", number -> semel.mostlyDuplicates(number, SETTLED)), raw, CALLERS);
        }
    }
}
