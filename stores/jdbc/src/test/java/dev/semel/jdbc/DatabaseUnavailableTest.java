// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.testservers.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Row 35 of docs/failures.md: the database is unavailable. */
class DatabaseUnavailableTest {
    private static final Operation<String> OPERATION = Operation.of("any", Codec.text());
    private static final Duration BOUND = Duration.ofSeconds(1);

    @Test
    void row35_unavailableWithinTheBound_nothingRuns_andItRecovers() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                ClaimDatabase database = ClaimDatabase.postgres(server);
                Semel semel = Semel.on(JdbcClaimStore.migrating(database.pool(4)))
                        .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                        .storeTimeout(BOUND)
                        .withoutCallerRuns()
                        .build()) {
            AtomicInteger runs = new AtomicInteger();
            server.kill();

            CompletableFuture<Outcome<String>> asked = CompletableFuture.supplyAsync(() -> semel.execute(
                    OPERATION, OPERATION.key("acme", "unavailable"), run -> "run " + runs.incrementAndGet()));
            // The pool would wait for 30 seconds, so the engine's own timeout must answer first.
            await().atMost(Duration.ofSeconds(15)).until(asked::isDone);

            assertThat(asked.join()).isInstanceOf(Outcome.Unavailable.class);
            assertThat(runs).hasValue(0);

            server.restart();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(semel.execute(
                                    OPERATION,
                                    OPERATION.key("acme", "unavailable"),
                                    run -> "run " + runs.incrementAndGet()))
                            .isInstanceOf(Outcome.Succeeded.class));
            assertThat(runs).hasValue(1);
        }
    }
}
