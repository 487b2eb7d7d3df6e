// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Duplicates that the cache answers, compared with a server that answers everything with the same bytes. */
final class HttpDuplicates implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;
    private static final byte[] ANYTHING = HttpRequest.json("/constant", "{\"scope\":\"bench\",\"key\":\"constant\"}");

    @Override
    public String name() {
        return "http-duplicates";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer server = ServedSemel.on(database);
                HttpGenerator http = new HttpGenerator(server.port(), CONNECTIONS)) {
            Cpu cpu = database.cpu(server);
            LedgerWork ledger = new LedgerWork(http);
            ClaimWork claims = new ClaimWork(http);
            ledger.settle(SETTLED);
            claims.settle(SETTLED);
            return List.of(
                    result("HTTP, 64 connections, duplicate ledger events", ledger::repeat, cpu, effort),
                    result("HTTP, 64 connections, duplicates of settled claims", claims::repeat, cpu, effort));
        }
    }

    private static Result result(String work, Supplier<CompletableFuture<HttpReply>> repeat, Cpu cpu, Effort effort)
            throws Exception {
        int length = repeat.get().get().body().length;
        try (JavaServer constant = ServedConstant.start(length);
                HttpGenerator http = new HttpGenerator(constant.port(), CONNECTIONS)) {
            Paired paired = Paired.run(
                    new DrivenContender(new Contender.Async("Semel", number -> repeat.get()), CONNECTIONS),
                    new DrivenContender(
                            new Contender.Async(
                                    "constant", number -> http.send(ANYTHING).thenAccept(reply -> reply.require(200))),
                            CONNECTIONS),
                    effort.cold(),
                    cpu.with("constant server", constant.pid()));
            return Result.rate(work, "Vert.x handler of %d constant bytes".formatted(length), paired, 0.6);
        }
    }
}
