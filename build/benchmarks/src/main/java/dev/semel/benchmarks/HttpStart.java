// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;

/** The time from the start of the server's process until it is ready, each time with a new file. */
final class HttpStart implements Benchmark {
    @Override
    public String name() {
        return "http-start";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < effort.rounds(); i++) {
            long start = System.nanoTime();
            try (JavaServer server = ServedSemel.onSqlite();
                    HttpGenerator http = new HttpGenerator(server.port(), 1)) {
                http.send(HttpRequest.get("/health/ready")).get().require(200);
                seconds.add((System.nanoTime() - start) / 1e9);
            }
        }
        return List.of(Result.atMost(
                "server on SQLite, from the start of its process until it is ready",
                Ratio.of(seconds),
                "s",
                3,
                "%d starts, each with a new file".formatted(seconds.size())));
    }
}
