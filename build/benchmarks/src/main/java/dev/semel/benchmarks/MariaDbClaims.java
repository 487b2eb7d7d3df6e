// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** First-time keys on MariaDB, with many callers and with one. */
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
            Contender raw =
                    RawSql.atItsBest(RawSql.NAME, CALLERS, size -> RawSql.mariadb(database.pool(size))::firstTime);
            Contender rawSingle = new Contender.Blocking(RawSql.NAME, RawSql.mariadb(database.pool(1))::firstTime);
            Contender blocking = new Contender.Blocking("Semel", semel::firstTime);
            return List.of(
                    Result.rate(
                            "MariaDB, 64 blocking callers, first-time keys",
                            raw.name(),
                            Paired.run(blocking, raw, CALLERS, effort, database.cpu()),
                            2.5,
                            Result.NO_GOAL),
                    Result.p50(
                            "MariaDB, 1 caller, p50",
                            rawSingle.name(),
                            Paired.run(blocking, rawSingle, 1, effort, database.cpu()),
                            1.2,
                            Result.NO_GOAL));
        }
    }
}
