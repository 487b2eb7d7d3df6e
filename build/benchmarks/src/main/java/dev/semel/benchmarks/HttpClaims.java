// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** A claim and a settlement over HTTP, compared with two commits of raw SQL. */
final class HttpClaims implements Benchmark {
    private static final int CONNECTIONS = 64;

    @Override
    public String name() {
        return "http-claims";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer server = ServedSemel.on(database);
                HttpGenerator http = new HttpGenerator(server.port(), CONNECTIONS)) {
            Progress.note(database.durability());
            Rounds rounds = new Rounds(effort.cold(), database.cpu(server));
            ClaimWork work = new ClaimWork(http);
            Contender raw = RawSql.bestPostgres(database, CONNECTIONS, rounds);
            return List.of(Result.rate(
                    "HTTP, PostgreSQL, 64 connections, claim and succeed, first-time keys",
                    raw.name() + ", no HTTP",
                    rounds.of(new Contender.Async("Semel", work::firstTime), raw, CONNECTIONS),
                    1));
        }
    }
}
