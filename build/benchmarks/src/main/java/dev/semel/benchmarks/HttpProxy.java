// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;

/**
 * The proxy in front of a service, compared with the service alone: first-time requests, replayed requests, and
 * requests without a key. The service is a servlet in Tomcat, and then a Vert.x handler of constant bytes, which does less
 * than any real service. Service, proxy, database and load generator share one machine.
 */
final class HttpProxy implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;
    private static final int ANSWER = 200;

    @Override
    public String name() {
        return "http-proxy";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        List<Result> results = new ArrayList<>();
        try (BenchDatabase database = BenchDatabase.postgres()) {
            Progress.note(database.durability());
            try (JavaServer service = TomcatService.start(ANSWER, database)) {
                results.addAll(before("a servlet in Tomcat", service, TomcatService.PLAIN, database, effort));
            }
            try (JavaServer service = ServedConstant.start(ANSWER)) {
                results.addAll(before("a Vert.x handler of 200 constant bytes", service, "/orders", database, effort));
            }
        }
        return results;
    }

    private static List<Result> before(
            String name, JavaServer service, String path, BenchDatabase database, Effort effort) throws Exception {
        try (JavaServer proxy = ServedSemel.before(service, path, database);
                HttpGenerator through = new HttpGenerator(proxy.port(), CONNECTIONS);
                HttpGenerator direct = new HttpGenerator(service.port(), CONNECTIONS)) {
            Cpu cpu = Cpu.OWN
                    .with("proxy", proxy.pid())
                    .with("service", service.pid())
                    .with(Cpu.DATABASE, database.pid());
            OrderWork guarded = new OrderWork(through, path, ANSWER);
            OrderWork plain = new OrderWork(direct, path, ANSWER);
            guarded.settle(SETTLED);
            DrivenContender alone = crowd(name, plain::firstTime);
            return List.of(
                    rate("first-time requests", crowd("proxy", guarded::firstTime), alone, effort, cpu, 0.5),
                    rate("replayed requests", crowd("proxy", n -> guarded.repeat()), alone, effort, cpu, 1.5),
                    rate(
                            "requests without a key",
                            crowd("proxy", n -> guarded.withoutKey()),
                            crowd(name, n -> plain.withoutKey()),
                            effort,
                            cpu,
                            Result.NO_GOAL));
        }
    }

    private static DrivenContender crowd(String name, Contender.AsyncCall call) {
        return new DrivenContender(new Contender.Async(name, call), CONNECTIONS);
    }

    private static Result rate(
            String what, DrivenContender proxy, DrivenContender alone, Effort effort, Cpu cpu, double goal)
            throws Exception {
        return Result.rate(
                "HTTP, PostgreSQL, 64 connections, proxy, " + what,
                alone.name() + ", without the proxy",
                Paired.run(proxy, alone, effort.cold(), cpu),
                goal);
    }
}
