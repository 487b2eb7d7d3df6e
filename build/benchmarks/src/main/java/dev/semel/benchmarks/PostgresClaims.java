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
            Rounds rounds = new Rounds(effort, database.cpu());
            Contender raw = RawSql.bestPostgres(database, CALLERS, rounds);
            Contender rawAsync = RawSql.bestPostgresAsync(database, CALLERS, rounds);
            Contender blocking = new Contender.Blocking("Semel", semel::firstTime);
            Contender async = new Contender.Async("Semel", semel::firstTimeAsync);
            Paired paired = rounds.of(blocking, raw, CALLERS);
            String what = "PostgreSQL, 64 blocking callers, first-time keys";
            return List.of(
                    Result.rate(what, raw.name(), paired, 4),
                    Result.atMost(
                            what + ": CPU of callers and engine", paired.semel(), Measurement::cpuMicros, "µs", 35),
                    Result.atMost(
                            what + ": CPU of PostgreSQL",
                            paired.semel(),
                            round -> round.otherCpuMicros().getOrDefault(Cpu.DATABASE, Double.NaN),
                            "µs",
                            45),
                    Result.rate(
                            "PostgreSQL, 64 async callers, first-time keys",
                            rawAsync.name(),
                            rounds.of(async, rawAsync, CALLERS),
                            5),
                    Result.rate(
                            "PostgreSQL, 256 blocking callers, first-time keys",
                            raw.name(),
                            rounds.of(blocking, raw, MANY_CALLERS),
                            5));
        }
    }
}
