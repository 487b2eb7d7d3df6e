// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.SemelBuilder;
import dev.semel.benchmarks.Paired.Effort;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.testservers.RoundTrips;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * How often a claim waits for each database, and how much the database writes to its log for it. These are counts: they do not
 * depend on the speed of the machine, but those of many callers depend on how many claims share a batch.
 */
final class EngineCosts implements Benchmark {
    private static final int MANY = 64;

    private static final int CONNECTIONS = 8;
    private static final int SETTLED = 100;

    private final String name;
    private final List<Engine> engines;

    private EngineCosts(String name, List<Engine> engines) {
        this.name = name;
        this.engines = engines;
    }

    static EngineCosts ofAll() {
        return new EngineCosts(
                "costs",
                List.of(
                        new Engine(
                                "PostgreSQL",
                                BenchDatabase::postgres,
                                "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"),
                        new Engine("MariaDB", BenchDatabase::mariadb, """
                                SELECT variable_value FROM information_schema.global_status
                                WHERE variable_name = 'INNODB_LSN_CURRENT'
                                """)));
    }

    static EngineCosts ofMySql() {
        return new EngineCosts("costs-mysql", List.of(new Engine("MySQL", BenchDatabase::mysql, """
                SELECT variable_value FROM performance_schema.global_status
                WHERE variable_name = 'Innodb_redo_log_current_lsn'
                """)));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Table> run(Effort effort) throws Exception {
        List<List<String>> rows = new ArrayList<>();
        for (Engine engine : engines) {
            try (BenchDatabase database = engine.start().get()) {
                rows.add(measured(engine, database, effort));
            }
        }
        return List.of(new Table(
                "What a claim costs each database: one caller without others, and 64 callers whose claims share batches.",
                List.of(
                        "database",
                        "first-time: round trips",
                        "log bytes",
                        "duplicate: round trips",
                        "log bytes",
                        "first-time, 64 callers: round trips",
                        "log bytes"),
                rows));
    }

    private static List<String> measured(Engine engine, BenchDatabase database, Effort effort) throws Exception {
        Progress.note(engine.name() + ": " + database.durability());
        RoundTrips network = database.network();
        try (SemelWork semel = new SemelWork(
                JdbcClaimStore.on(database.poolThrough(network, CONNECTIONS)), SemelBuilder::withoutReplayCache)) {
            semel.settle(SETTLED);
            Counters counters = new Counters(engine, database, network, effort);
            List<String> row = new ArrayList<>(List.of(engine.name()));
            row.addAll(counters.each(semel::firstTime, 1));
            row.addAll(counters.each(number -> semel.duplicate(SETTLED), 1));
            row.addAll(counters.each(semel::firstTime, MANY));
            return row;
        }
    }

    /** @param logPosition SQL for the number of bytes that were ever written to the log */
    private record Engine(String name, Supplier<BenchDatabase> start, String logPosition) {}

    private record Counters(Engine engine, BenchDatabase database, RoundTrips network, Effort effort) {
        /** Round trips and bytes of the log for a call. */
        List<String> each(Contender.BlockingCall call, int callers) throws Exception {
            Contender contender = new Contender.Blocking("Semel", call);
            LoadRun.run(contender, callers, effort.warmUp());
            network.taken();
            long logged = database.number(engine.logPosition());
            double calls = LoadRun.run(contender, callers, effort.round().multipliedBy(effort.rounds()))
                    .calls();
            long more = database.number(engine.logPosition()) - logged;
            return List.of(Sides.number(network.taken() / calls), Sides.number(more / calls));
        }
    }
}
