// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;
import java.util.function.Supplier;

/** First-time keys on MariaDB, or on a server that speaks its SQL, with many callers and with one. */
final class MariaDbClaims implements Benchmark {
    private static final int CALLERS = 64;

    private final String name;
    private final String product;
    private final Supplier<BenchDatabase> server;
    private final double manyCallers;
    private final double oneCaller;

    /**
     * @param product of the database, as it is called in the table
     * @param manyCallers the goal for the rate
     * @param oneCaller the goal for the median time of a call
     */
    private MariaDbClaims(
            String name, String product, Supplier<BenchDatabase> server, double manyCallers, double oneCaller) {
        this.name = name;
        this.product = product;
        this.server = server;
        this.manyCallers = manyCallers;
        this.oneCaller = oneCaller;
    }

    static MariaDbClaims onMariaDb() {
        return new MariaDbClaims("mariadb", "MariaDB", BenchDatabase::mariadb, 2.5, 1.2);
    }

    static MariaDbClaims onMySql() {
        return new MariaDbClaims("mysql", "MySQL", BenchDatabase::mysql, 2.0, 1.2);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = server.get();
                SemelWork semel = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            Rounds rounds = new Rounds(effort, database.cpu());
            Contender raw =
                    rounds.bestPool(RawSql.NAME, CALLERS, size -> RawSql.mariadb(database.pool(size))::firstTime);
            Contender rawSingle = new Contender.Blocking(RawSql.NAME, RawSql.mariadb(database.pool(1))::firstTime);
            Contender blocking = new Contender.Blocking("Semel", semel::firstTime);
            return List.of(
                    Result.rate(
                            product + ", 64 blocking callers, first-time keys",
                            raw.name(),
                            rounds.of(blocking, raw, CALLERS),
                            manyCallers),
                    Result.p50(
                            product + ", 1 caller, first-time keys, p50",
                            rawSingle.name(),
                            rounds.of(blocking, rawSingle, 1),
                            oneCaller));
        }
    }
}
