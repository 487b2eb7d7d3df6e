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
                Rounds rounds = new Rounds(effort, database.cpu());
                Contender raw = RawSql.bestPostgresAsync(database, CALLERS, rounds);
                RawSql single = RawSql.postgres(database.pool(1));
                return List.of(
                        Result.rate(
                                "PostgreSQL, 64 async callers, key and effect in one grouped transaction",
                                raw.name() + ", no effect",
                                rounds.of(new Contender.Async("Semel", work::groupedAsync), raw, CALLERS),
                                6),
                        Result.p50(
                                "PostgreSQL, 1 caller, key and effect in one transaction, p50",
                                "raw two-commit SQL, no effect",
                                rounds.of(
                                        new Contender.Blocking("Semel", work::oneByOne),
                                        new Contender.Blocking("raw", single::firstTime),
                                        1),
                                1.10));
            }
        }
    }
}
