// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * The server compared with an earlier jar of it, each with its own database of the same PostgreSQL: rate and CPU time for a request
 * in a closed loop, and the times of claims in an open loop at half of the slower one's rate.
 */
final class HttpBefore implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;
    private static final double MOST_CPU = 1.05;
    private static final double CLAIMS = 2;
    private static final double HALF = 0.5;
    private static final String BEFORE = "before";
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
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer ours = ServedSemel.on(database, "served", Launcher.jar());
                JavaServer theirs = ServedSemel.on(database, BEFORE, before);
                HttpGenerator now = new HttpGenerator(ours.port(), CONNECTIONS);
                HttpGenerator then = new HttpGenerator(theirs.port(), CONNECTIONS)) {
            Progress.note(database.durability());
            Cpu cpu = database.cpu(ours).with(BEFORE, theirs.pid());
            Rounds rounds = new Rounds(effort.manyRounds().cold(), cpu);
            Works current = new Works(now);
            Works old = new Works(then);
            compare("claim and succeed, first-time keys", current::claim, old::claim, CLAIMS, rounds, results);
            results.add(halfLoad(current::claim, old::claim, slower(results.get(0)), new Rounds(effort, cpu)));
            compare("ledger events, first-time keys", current::ledger, old::ledger, Result.NO_GOAL, rounds, results);
            compare(
                    "duplicates of settled claims",
                    current::repeatedClaim,
                    old::repeatedClaim,
                    Result.NO_GOAL,
                    rounds,
                    results);
            compare("GET /health/live", current::live, old::live, Result.NO_GOAL, rounds, results);
        }
        return results;
    }

    private void compare(
            String work,
            Contender.AsyncCall now,
            Contender.AsyncCall then,
            double goal,
            Rounds rounds,
            List<Result> results)
            throws Exception {
        Paired paired = rounds.of(new Contender.Async("now", now), new Contender.Async(BEFORE, then), CONNECTIONS);
        String what = "HTTP, 64 connections, " + work;
        results.add(shown(Result.rate(what, jar(), paired, goal), paired));
        results.add(Result.cpu(what + ": CPU of the server", jar(), paired.cpu(Cpu.SERVER, BEFORE), MOST_CPU));
    }

    private Result halfLoad(Contender.AsyncCall now, Contender.AsyncCall then, double perSecond, Rounds rounds)
            throws Exception {
        Paired paired = rounds.of(
                DrivenContender.atRate(new Contender.Async("now", now), perSecond * HALF),
                DrivenContender.atRate(new Contender.Async(BEFORE, then), perSecond * HALF));
        String what = "HTTP, claim and succeed, open loop at half of the slower server's highest rate: p99";
        return shown(Result.p99(what, jar(), paired, HALF), paired);
    }

    /** Each side with the CPU time of its own server. */
    private static Result shown(Result result, Paired paired) {
        return result.with(Sides.of(paired).otherServerIs(BEFORE));
    }

    /** The lower rate of both. */
    private static double slower(Result rate) {
        Sides sides = Objects.requireNonNull(rate.sides());
        return Math.min(
                sides.semel().perSecond(), Objects.requireNonNull(sides.other()).perSecond());
    }

    private String jar() {
        return before.getFileName().toString();
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
