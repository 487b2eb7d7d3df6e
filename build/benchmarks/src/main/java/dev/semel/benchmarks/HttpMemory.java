// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/** The server's resident memory after a million requests, one in five with a first-time key. */
final class HttpMemory implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;
    private static final int REQUESTS = 1_000_000;
    private static final int QUICK_REQUESTS = 20_000;

    @Override
    public String name() {
        return "http-memory";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        int requests = effort.equals(Effort.USUAL) ? REQUESTS : QUICK_REQUESTS;
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer server = ServedSemel.on(database);
                HttpGenerator http = new HttpGenerator(server.port(), CONNECTIONS)) {
            double before = server.residentMiB();
            LedgerWork ledger = new LedgerWork(http);
            ClaimWork claims = new ClaimWork(http);
            ledger.settle(SETTLED);
            claims.settle(SETTLED);
            Contender mix = new Contender.Async("Semel", number -> one(ledger, claims, number));
            int done = 0;
            double most = 0;
            while (done < requests) {
                done += LoadRun.run(mix, CONNECTIONS, effort.round()).calls();
                most = Math.max(most, server.residentMiB());
            }
            return List.of(Result.atMost(
                    String.format(Locale.ROOT, "server on PostgreSQL, resident memory after %,d requests", done),
                    Ratio.of(List.of(server.residentMiB())),
                    "MiB",
                    400,
                    String.format(Locale.ROOT, "%.0f MiB when it was ready, %.0f MiB at most", before, most)));
        }
    }

    private static CompletionStage<?> one(LedgerWork ledger, ClaimWork claims, long number) {
        return switch (ThreadLocalRandom.current().nextInt(10)) {
            case 0 -> ledger.firstTime(number);
            case 1 -> claims.firstTime(number);
            case 2, 3, 4, 5 -> ledger.repeat();
            default -> claims.repeat();
        };
    }
}
