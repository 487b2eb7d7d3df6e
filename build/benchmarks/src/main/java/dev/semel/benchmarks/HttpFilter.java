// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.List;

/**
 * The CPU time that the servlet filter adds to a request: the same servlet in the same Tomcat, with and without the filter.
 * The whole process is measured, so that the filter's database work and its threads are included.
 */
final class HttpFilter implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;
    private static final int ANSWER = 200;
    private static final double MAX_WITHOUT_KEY = 1.05;
    private static final String PROCESS = "Tomcat";

    @Override
    public String name() {
        return "http-filter";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer tomcat = TomcatService.start(ANSWER, database);
                HttpGenerator http = new HttpGenerator(tomcat.port(), CONNECTIONS)) {
            OrderWork plain = new OrderWork(http, TomcatService.PLAIN, ANSWER);
            OrderWork filtered = new OrderWork(http, TomcatService.FILTERED, ANSWER);
            filtered.settle(SETTLED);
            Cpu cpu = Cpu.OWN.with(PROCESS, tomcat.pid());
            return List.of(
                    result(
                            "requests without a key",
                            n -> filtered.withoutKey(),
                            n -> plain.withoutKey(),
                            effort,
                            cpu,
                            MAX_WITHOUT_KEY),
                    result("first-time requests", filtered::firstTime, plain::firstTime, effort, cpu, Result.NO_GOAL),
                    result("replayed requests", n -> filtered.repeat(), plain::firstTime, effort, cpu, Result.NO_GOAL));
        }
    }

    private static Result result(
            String what, Contender.AsyncCall ours, Contender.AsyncCall theirs, Effort effort, Cpu cpu, double most)
            throws Exception {
        Paired paired = Paired.run(
                new DrivenContender(new Contender.Async("with the filter", ours), CONNECTIONS),
                new DrivenContender(new Contender.Async("without", theirs), CONNECTIONS),
                effort.manyRounds().cold(),
                cpu);
        return Result.cpu(
                "HTTP, Tomcat, 64 connections, servlet filter, " + what + ": CPU of Tomcat",
                "the same servlet without the filter",
                paired.cpu(PROCESS, PROCESS),
                most);
    }
}
