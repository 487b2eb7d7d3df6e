// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** Key, effect and result in one commit. The raw SQL writes key and result in two commits, and no effect. */
final class PostgresTransactionsBench implements Benchmark {
    private static final int CALLERS = 64;

    @Override
    public String name() {
        return "transactions";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres()) {
            database.execute(TransactionCalls.LEDGER);
            Progress.note(database.durability());
            try (TransactionCalls work = new TransactionCalls(database.pool(8))) {
                Contender raw = RawSql.postgresAtItsBest(database, CALLERS);
                RawSql single = RawSql.postgres(database.pool(1));
                return List.of(
                        Result.rate(
                                "PostgreSQL, 64 callers, key and effect in one grouped transaction",
                                raw.name() + ", no effect",
                                Paired.run(
                                        new Contender.Async("Semel", work::groupedAsync),
                                        raw,
                                        CALLERS,
                                        effort,
                                        database.cpu()),
                                6,
                                Result.NO_GOAL),
                        Result.p50(
                                "PostgreSQL, 1 caller, key and effect in one transaction, p50",
                                "raw two-commit SQL, no effect",
                                Paired.run(
                                        new Contender.Blocking("Semel", work::oneByOne),
                                        new Contender.Blocking("raw", single::firstTime),
                                        1,
                                        effort,
                                        database.cpu()),
                                1.10,
                                1.00));
            }
        }
    }
}
