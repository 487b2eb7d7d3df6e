// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The API door before a service that answers at once, against that service without the door: requests that nobody has sent
 * yet, requests that are replayed, and requests without a key. The service, the door, its database and the load share one
 * machine.
 */
final class HttpApiDoor implements Benchmark {
    private static final int CONNECTIONS = 64;
    private static final int SETTLED = 2_000;
    private static final int ANSWER = 200;
    private static final String PATH = "/orders";
    private static final String BODY = "{\"order\":\"17\",\"amount\":1999,\"currency\":\"EUR\",\"customer\":\"c-42\"}";

    @Override
    public String name() {
        return "http-api-door";
    }

    @Override
    public List<Result> run(Effort effort) throws Exception {
        try (BenchDatabase database = BenchDatabase.postgres();
                JavaServer service = ServedConstant.start(ANSWER);
                JavaServer door = ServedSemel.before(service, database);
                HttpGenerator through = new HttpGenerator(door.port(), CONNECTIONS);
                HttpGenerator direct = new HttpGenerator(service.port(), CONNECTIONS)) {
            Progress.note(database.durability());
            Cpu cpu = Cpu.OWN
                    .with("door", door.pid())
                    .with("service", service.pid())
                    .with("PostgreSQL", database.pid());
            Keys keys = new Keys();
            settle(through, keys);
            Crowd plain = crowd("the service alone", number -> send(direct, keys.firstTime(number)));
            return List.of(
                    rate(
                            "first-time requests",
                            crowd("door", n -> send(through, keys.firstTime(n))),
                            plain,
                            effort,
                            cpu,
                            0.5),
                    rate(
                            "replayed requests",
                            crowd("door", n -> send(through, keys.settled(SETTLED))),
                            plain,
                            effort,
                            cpu,
                            1.5),
                    rate(
                            "requests without a key",
                            crowd("door", n -> sent(through, HttpRequest.json(PATH, BODY))),
                            plain,
                            effort,
                            cpu,
                            Result.NOT_ASKED));
        }
    }

    private static Crowd crowd(String name, Contender.AsyncCall call) {
        return new Crowd(new Contender.Async(name, call), CONNECTIONS);
    }

    private static Result rate(String what, Crowd door, Crowd plain, Effort effort, Cpu cpu, double goal)
            throws Exception {
        return Result.rate(
                "HTTP, PostgreSQL, 64 connections, API door, " + what,
                plain.name(),
                Paired.run(door, plain, effort.cold(), cpu),
                Result.NOT_ASKED,
                goal);
    }

    private static void settle(HttpGenerator http, Keys keys) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < SETTLED; i++) {
            all.add(send(http, keys.settledNumber(i)).toCompletableFuture());
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    }

    private static CompletionStage<?> send(HttpGenerator http, String key) {
        return sent(http, HttpRequest.json(PATH, "Idempotency-Key: " + key, BODY));
    }

    private static CompletionStage<?> sent(HttpGenerator http, byte[] request) {
        return http.send(request).thenAccept(reply -> {
            if (reply.require(200).body().length != ANSWER) {
                throw new IllegalStateException("Expected %d bytes".formatted(ANSWER));
            }
        });
    }
}
