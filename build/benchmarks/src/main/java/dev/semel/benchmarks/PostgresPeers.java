// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;

/** First-time keys on PostgreSQL, compared with other Java libraries. */
final class PostgresPeers implements Benchmark {
    private static final int CALLERS = 64;

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        List<Result> results = new ArrayList<>();
        try (BenchDatabase database = BenchDatabase.postgres();
                SemelWork semel = new SemelWork(database.store(8));
                Peers.Dbos dbos = new Peers.Dbos(database.pool(32))) {
            Peers.createSpringTable(database);
            Contender blocking = new Contender.Blocking("Semel", semel::firstTime);
            List<Contender> peers = List.of(
                    RawSql.atItsBest(
                            "Spring Integration JdbcMetadataStore",
                            CALLERS,
                            size -> Peers.springIntegration(database.pool(size))),
                    RawSql.atItsBest(
                            "Camel JdbcMessageIdRepository (stores no result)",
                            CALLERS,
                            size -> Peers.camel(database.pool(size))),
                    new Contender.Blocking("DBOS Transact, pool of 32", dbos::firstTime));
            for (Contender peer : peers) {
                results.add(Result.rate(
                        "PostgreSQL, 64 blocking callers, first-time keys",
                        peer.name(),
                        Paired.run(blocking, peer, CALLERS, effort, database.cpu()),
                        4,
                        Result.NO_GOAL));
            }
        }
        return results;
    }
}
