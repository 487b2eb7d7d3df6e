// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** The server's CPU time for a request, compared with an earlier jar of the server. */
final class HttpBefore implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;
    private static final double MAX = 1.05;
    private static final byte[] LIVE =
            "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Path before;

    HttpBefore(Path before) {
        this.before = before;
    }

    @Override
    public String name() {
        return "http-before";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        List<Result> results = new ArrayList<>();
        Effort rounds = effort.manyRounds();
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer ours = ServedSemel.on(database, "served", Launcher.jar());
                JavaServer theirs = ServedSemel.on(database, "before", before);
                HttpGenerator now = new HttpGenerator(ours.port(), CONNECTIONS);
                HttpGenerator then = new HttpGenerator(theirs.port(), CONNECTIONS)) {
            Cpu cpu = Cpu.OWN.with("server", ours.pid()).with("before", theirs.pid());
            Works current = new Works(now);
            Works old = new Works(then);
            results.add(result("GET /health/live", current::live, old::live, rounds, cpu));
            results.add(
                    result("duplicates of settled claims", current::repeatedClaim, old::repeatedClaim, rounds, cpu));
            results.add(result("claim and succeed, first-time keys", current::claim, old::claim, rounds, cpu));
            results.add(result("ledger events, first-time keys", current::ledger, old::ledger, rounds, cpu));
        }
        return results;
    }

    private Result result(
            String work,
            LongFunction<CompletionStage<?>> now,
            LongFunction<CompletionStage<?>> then,
            Effort effort,
            Cpu cpu)
            throws Exception {
        Paired paired = Paired.run(
                new DrivenContender(new Contender.Async("now", now::apply), CONNECTIONS),
                new DrivenContender(new Contender.Async("before", then::apply), CONNECTIONS),
                effort.cold(),
                cpu);
        return Result.cpu(
                "HTTP, 64 connections, " + work + ": CPU of the server",
                before.getFileName().toString(),
                paired.cpu("server", "before"),
                MAX);
    }

    /** The same requests for both servers. */
    private static final class Works {
        private final HttpGenerator http;
        private final ClaimWork claims;
        private final LedgerWork ledger;

        Works(HttpGenerator http) {
            this.http = http;
            this.claims = new ClaimWork(http);
            this.ledger = new LedgerWork(http);
            claims.settle(SETTLED);
        }

        CompletionStage<?> live(long number) {
            return http.send(LIVE).thenAccept(reply -> reply.require(200));
        }

        CompletionStage<?> repeatedClaim(long number) {
            return claims.repeat();
        }

        CompletionStage<?> claim(long number) {
            return claims.firstTime(number);
        }

        CompletionStage<?> ledger(long number) {
            return ledger.firstTime(number);
        }
    }
}
