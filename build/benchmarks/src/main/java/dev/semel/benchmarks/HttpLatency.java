// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How long the server's answers take at half of its highest rate, in an open loop on at most 64 connections. The highest rate is measured
 * just before, with 64 connections that always have an open request. A claim counts from its scheduled start to the answer to
 * its settlement: two requests.
 */
final class HttpLatency implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final double HALF = 0.5;

    /** A closed loop of 64 connections had 21 to 52 ms before: this is half of the middle. */
    private static final double MOST_MILLIS = 18;

    private static final double MILLIS = 1_000;
    private static final String TITLE = """
            The server's answers and batches at half of its highest rate. In brackets: the lowest and the highest round. Ledger events are not
            commands of the engine, whose batches /metrics shows: their batch is the calls in a commit.""";

    private static final List<String> COLUMNS = List.of(
            "open loop at half of the highest rate",
            "highest, a second",
            "sent, a second",
            "p50, ms",
            "p99, ms",
            "p999, ms",
            "commands in a batch",
            "store call, ms",
            "wait for a batch, ms",
            "calls in a commit",
            "started late (p99), ms");

    @Override
    public String name() {
        return "http-latency";
    }

    @Override
    public List<ReportPart> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer server = ServedSemel.on(database);
                HttpGenerator http = new HttpGenerator(server.port(), CONNECTIONS)) {
            Progress.note(database.durability());
            Trial trial = new Trial(database, http, database.cpu(server), effort);
            ClaimWork claims = new ClaimWork(http);
            LedgerWork ledger = new LedgerWork(http);
            List<ReportPart> parts = new ArrayList<>();
            List<List<String>> rows = new ArrayList<>();
            trial.run("claim and succeed", claims::firstTime, MOST_MILLIS, parts, rows);
            trial.run("ledger events", ledger::firstTime, Result.NO_GOAL, parts, rows);
            parts.add(new Table(TITLE, COLUMNS, rows));
            return parts;
        }
    }

    /** One server, with its database and the load generator. */
    private record Trial(BenchDatabase database, HttpGenerator http, Cpu cpu, Effort effort) {
        void run(String work, Contender.AsyncCall call, double most, List<ReportPart> parts, List<List<String>> rows)
                throws Exception {
            Contender.Async contender = new Contender.Async("Semel", call);
            double highest = Side.of(new Rounds(effort.cold(), cpu).of(new DrivenContender(contender, CONNECTIONS)))
                    .perSecond();
            DrivenContender half = DrivenContender.atRate(contender, highest * HALF);
            half.run(effort.warmUpAgain(), cpu);
            MetricsScrape before = scrape();
            long commits = commits();
            List<Measurement> rounds = new ArrayList<>();
            for (int round = 0; round < effort.rounds(); round++) {
                // Twice as long as other rounds, for a p999 that is not a single call.
                rounds.add(half.run(effort.round().multipliedBy(2), cpu));
            }
            long written = commits() - commits - 1;
            parts.add(result(work, rounds, most));
            rows.add(row(work, highest, rounds, written, before, scrape()));
        }

        private MetricsScrape scrape() throws Exception {
            return MetricsScrape.of(
                    http.send(HttpRequest.get("/metrics")).get().require(200).text());
        }

        /** The number of transactions that have written so far. This query is one of them. */
        private long commits() throws Exception {
            return database.number("SELECT pg_current_xact_id()::text::bigint");
        }
    }

    private static Result result(String work, List<Measurement> rounds, double most) {
        return Result.atMost(
                        "HTTP, PostgreSQL, %s, open loop at half of the highest rate: p99".formatted(work),
                        rounds,
                        round -> round.micros(0.99) / MILLIS,
                        "ms",
                        most)
                .with(Sides.alone(rounds));
    }

    private static List<String> row(
            String work,
            double highest,
            List<Measurement> rounds,
            long commits,
            MetricsScrape before,
            MetricsScrape after) {
        int calls = rounds.stream().mapToInt(Measurement::calls).sum();
        String kind = "kind=\"apply\"";
        return List.of(
                work,
                Sides.number(highest),
                Sides.number(highest * HALF),
                millis(rounds, round -> round.micros(0.5)),
                millis(rounds, round -> round.micros(0.99)),
                millis(rounds, round -> round.micros(0.999)),
                orNone(after.averageSince(before, "idempotency_store_batch", kind)),
                orNone(after.averageSince(before, "idempotency_store_call_seconds", kind) * MILLIS),
                orNone(after.averageSince(before, "idempotency_lane_wait_seconds", kind) * MILLIS),
                String.format(Locale.ROOT, "%.2f", calls / (double) Math.max(1, commits)),
                Sides.number(Side.median(rounds, Measurement::lateMicros) / MILLIS));
    }

    private static String orNone(double value) {
        return Double.isNaN(value) ? "none" : Sides.number(value);
    }

    private static String millis(List<Measurement> rounds, ToDoubleFunction<Measurement> micros) {
        Ratio millis = Ratio.of(rounds.stream()
                .map(round -> micros.applyAsDouble(round) / MILLIS)
                .toList());
        return "%s (%s to %s)"
                .formatted(
                        Sides.number(millis.median()), Sides.number(millis.lowest()), Sides.number(millis.highest()));
    }
}
