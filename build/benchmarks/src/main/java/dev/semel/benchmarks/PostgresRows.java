// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a first-time key costs PostgreSQL besides time: write-ahead log, commits, blocks, index entries and the share of HOT updates,
 * which write no index. Semel on its table, raw SQL on the same table, and raw SQL on a narrow table. Each runs on a server of its
 * own, because the log is that of the whole server.
 */
final class PostgresRows implements Benchmark {
    private static final int CALLERS = 64;
    private static final int CONNECTIONS = 16;
    private static final String SHIPPED = "idempotency_keys";

    @Override
    public String name() {
        return "rows";
    }

    @Override
    public List<Table> run(Effort effort) throws Exception {
        List<Map<String, Double>> columns = new ArrayList<>();
        try (BenchDatabase database = BenchDatabase.postgres();
                SemelWork semel = new SemelWork(database.store(8))) {
            columns.add(measured(database, SHIPPED, semel::firstTime, effort));
        }
        try (BenchDatabase database = BenchDatabase.postgres()) {
            RawSql raw = RawSql.postgres(database.pool(CONNECTIONS));
            columns.add(measured(database, SHIPPED, raw::firstTime, effort));
        }
        try (BenchDatabase database = BenchDatabase.postgres()) {
            database.execute(RawNarrow.DDL);
            RawNarrow narrow = new RawNarrow(database.pool(CONNECTIONS));
            columns.add(measured(database, RawNarrow.TABLE, narrow::firstTime, effort));
        }
        return List.of(table(columns));
    }

    /** One column for each contender. */
    static Table table(List<Map<String, Double>> columns) {
        List<List<String>> rows = new ArrayList<>();
        for (String name : columns.get(0).keySet()) {
            List<String> row = new ArrayList<>(List.of(name));
            columns.forEach(column -> row.add(Sides.number(column.getOrDefault(name, Double.NaN))));
            rows.add(row);
        }
        return new Table(
                "What a first-time key with its result costs PostgreSQL (64 blocking callers).",
                List.of("for a claim", "Semel", "raw SQL, Semel's table", "raw SQL, narrow table, one index"),
                rows);
    }

    private static Map<String, Double> measured(
            BenchDatabase database, String table, Contender.BlockingCall call, Effort effort) throws Exception {
        Contender contender = new Contender.Blocking(table, call);
        // Afterwards most index pages have been logged as a whole, so that the log of the round is that of its rows.
        database.execute("CHECKPOINT");
        LoadRun.run(contender, CALLERS, effort.warmUp());
        Counters before = Counters.of(database, table);
        Duration length = effort.round().multipliedBy(effort.rounds());
        int claims = LoadRun.run(contender, CALLERS, length).calls();
        return Counters.of(database, table).since(before, claims, database, table);
    }

    /** The server's counters. */
    private record Counters(
            long logBytes,
            long pageImages,
            long commits,
            long indexBlocks,
            long heapBlocks,
            long updates,
            long hotUpdates,
            long tableBytes,
            long indexBytes) {

        static Counters of(BenchDatabase database, String table) throws SQLException {
            database.settleStatistics();
            String statio = " FROM pg_statio_user_tables WHERE relname = '%s'".formatted(table);
            String stat = " FROM pg_stat_user_tables WHERE relname = '%s'".formatted(table);
            return new Counters(
                    database.number("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"),
                    database.number("SELECT wal_fpi FROM pg_stat_wal"),
                    database.number("SELECT pg_current_xact_id()::text::bigint"),
                    database.number("SELECT idx_blks_hit + idx_blks_read" + statio),
                    database.number("SELECT heap_blks_hit + heap_blks_read" + statio),
                    database.number("SELECT n_tup_upd" + stat),
                    database.number("SELECT n_tup_hot_upd" + stat),
                    database.number("SELECT pg_relation_size('%s')".formatted(table)),
                    database.number("SELECT pg_indexes_size('%s')".formatted(table)));
        }

        Map<String, Double> since(Counters before, int claims, BenchDatabase database, String table)
                throws SQLException {
            database.execute("ANALYZE " + table);
            double each = claims;
            Map<String, Double> column = new LinkedHashMap<>();
            column.put("write-ahead log, bytes", (logBytes - before.logBytes) / each);
            column.put("whole pages in it", (pageImages - before.pageImages) / each);
            column.put("commits", (commits - before.commits) / each);
            column.put("index blocks touched", (indexBlocks - before.indexBlocks) / each);
            column.put("table blocks touched", (heapBlocks - before.heapBlocks) / each);
            column.put(
                    "HOT share of the updates, %",
                    100.0 * (hotUpdates - before.hotUpdates) / (updates - before.updates));
            column.put("growth of the table, bytes", (tableBytes - before.tableBytes) / each);
            column.put("growth of the indexes, bytes", (indexBytes - before.indexBytes) / each);
            column.put("settled row, bytes", (double) database.number("""
                    SELECT avg(pg_column_size(t.*))::bigint FROM %1$s t WHERE completed_at IS NOT NULL
                    """.formatted(table)));
            column.put("index entries of a row", database.number("""
                    SELECT (1000 * sum(i.reltuples) / max(t.reltuples))::bigint
                    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
                    WHERE t.relname = '%s'
                    """.formatted(table)) / 1_000.0);
            return column;
        }
    }
}
