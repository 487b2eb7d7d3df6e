// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/** Ledger events over HTTP, one by one and in batches, compared with the same inserts without HTTP. */
final class HttpLedger implements Benchmark {
    private static final int CONNECTIONS = 64;

    /** The server limits the memory of all bodies, and batches need most of it. */
    private static final int BATCHES = 4;

    private static final int EVENTS = 2_000;

    @Override
    public String name() {
        return "http-ledger";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer server = ServedSemel.on(database);
                HttpGenerator http = new HttpGenerator(server.port(), CONNECTIONS)) {
            Progress.note(database.durability());
            Rounds rounds = new Rounds(effort.cold(), database.cpu(server));
            LedgerWork work = new LedgerWork(http);
            DrivenContender raw = RawLedger.best(database, rounds);
            DrivenContender single = new DrivenContender(new Contender.Async("Semel", work::firstTime), CONNECTIONS);
            DrivenContender batches = new DrivenContender(
                    new Contender.Async("Semel", number -> work.batch(number, EVENTS), EVENTS), BATCHES);
            return List.of(
                    Result.rate(
                            "HTTP, PostgreSQL, 64 connections, ledger events with first-time keys",
                            raw.name(),
                            rounds.of(single, raw),
                            1.5),
                    Result.rate(
                            "HTTP, PostgreSQL, %d connections, ledger in batches of %d events, events a second"
                                    .formatted(BATCHES, EVENTS),
                            raw.name(),
                            rounds.of(batches, raw),
                            10));
        }
    }
}
