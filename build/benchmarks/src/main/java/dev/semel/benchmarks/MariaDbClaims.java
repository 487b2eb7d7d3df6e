// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** First-time keys on MariaDB. */
final class MariaDbClaims implements Benchmark {
    private static final int CALLERS = 64;

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.mariadb();
                SemelWork semel = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            Contender raw = RawSql.atItsBest("raw two-commit SQL", CALLERS, size -> {
                RawSql sql = RawSql.mariadb(database.pool(size));
                return sql::firstTime;
            });
            return List.of(Result.rate(
                    "MariaDB, 64 callers, first-time keys",
                    raw.name(),
                    Paired.run(new Contender.Async("Semel", semel::firstTimeAsync), raw, CALLERS, effort),
                    2.2,
                    3));
        }
    }
}
