// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** First-time keys on PostgreSQL, compared with other Java libraries. */
final class PostgresPeers implements Benchmark {
    private static final int CALLERS = 64;

    /** The goal is for libraries that store a result, as Semel does. */
    private static final double STORES_A_RESULT = 4;

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        List<Result> results = new ArrayList<>();
        try (BenchDatabase database = BenchDatabase.postgres();
                SemelWork semel = new SemelWork(database.store(8))) {
            Progress.note(database.durability());
            Rounds rounds = new Rounds(effort, database.cpu());
            Contender blocking = new Contender.Blocking("Semel", semel::firstTime);
            for (Peer peer : peers(database)) {
                Contender best = rounds.bestPool(peer.name(), CALLERS, peer.withPoolOf());
                results.add(Result.rate(
                        "PostgreSQL, 64 blocking callers, first-time keys",
                        best.name(),
                        rounds.of(blocking, best, CALLERS),
                        peer.goal()));
            }
        }
        return results;
    }

    private static List<Peer> peers(BenchDatabase database) throws Exception {
        Peers.createSpringTable(database);
        return List.of(
                new Peer(
                        "Spring Integration JdbcMetadataStore",
                        size -> Peers.springIntegration(database.pool(size)),
                        STORES_A_RESULT),
                new Peer(
                        "Camel JdbcMessageIdRepository (stores no result)",
                        size -> Peers.camel(database.pool(size)),
                        Result.NO_GOAL),
                new Peer(
                        "DBOS Transact",
                        size -> database.closing(new Peers.Dbos(database.pool(size)))::firstTime,
                        STORES_A_RESULT));
    }

    private record Peer(String name, IntFunction<Contender.BlockingCall> withPoolOf, double goal) {}
}
