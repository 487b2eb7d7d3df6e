// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * First-time keys on a table of ten million rows, compared with one of ten thousand, on two servers in alternating rounds.
 * The number of index blocks per claim shows that the query plans are the same. A scan would read thousands.
 */
final class PostgresLarge implements Benchmark {
    private static final int CALLERS = 64;
    private static final int MANY = 10_000_000;
    private static final int FEW = 10_000;
    private static final String IN_A_WEEK = "statement_timestamp() + interval '7 days'";

    @Override
    public String name() {
        return "large";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase many = BenchDatabase.postgres();
                BenchDatabase few = BenchDatabase.postgres();
                SemelWork onMany = new SemelWork(many.store(8));
                SemelWork onFew = new SemelWork(few.store(8))) {
            Progress.note(many.durability());
            BenchRows.insert(few, FEW, IN_A_WEEK);
            BenchRows.insert(many, MANY, IN_A_WEEK);
            many.execute("CHECKPOINT");
            few.execute("CHECKPOINT");
            Touched large = Touched.by(many, onMany, effort);
            Touched small = Touched.by(few, onFew, effort);
            Paired paired = Paired.run(
                    new Contender.Async("ten million rows", onMany::firstTimeAsync),
                    new Contender.Async("ten thousand rows", onFew::firstTimeAsync),
                    CALLERS,
                    effort,
                    Cpu.OWN);
            Result rate = Result.rate(
                    "PostgreSQL, 64 callers, first-time keys, 10 million rows", "10 thousand rows", paired, 0.5);
            return List.of(rate.withDetail(String.format(
                    Locale.ROOT,
                    "index blocks a claim %.1f against %.1f; sequential scans %d against %d",
                    large.indexBlocks(),
                    small.indexBlocks(),
                    large.scans(),
                    small.scans())));
        }
    }

    /** Index blocks per claim, from memory or disk, and the number of table scans. */
    private record Touched(double indexBlocks, long scans) {
        private static final String BLOCKS = "SELECT sum(idx_blks_hit + idx_blks_read) FROM pg_statio_user_indexes"
                + " WHERE relname = 'idempotency_keys'";
        private static final String SCANS =
                "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'idempotency_keys'";

        static Touched by(BenchDatabase database, SemelWork semel, Effort effort) throws Exception {
            Contender claims = new Contender.Async("Semel", semel::firstTimeAsync);
            LoadRun.run(claims, CALLERS, effort.warmUp());
            long blocks = counter(database, BLOCKS);
            long scans = counter(database, SCANS);
            Measurement round = LoadRun.run(claims, CALLERS, effort.round());
            return new Touched(
                    (counter(database, BLOCKS) - blocks) / (double) round.calls(), counter(database, SCANS) - scans);
        }

        /** Backends report statistics at most once a second unless requested. A new transaction sees them. */
        private static long counter(BenchDatabase database, String sql) throws SQLException {
            database.settleStatistics();
            return database.number(sql);
        }
    }
}
