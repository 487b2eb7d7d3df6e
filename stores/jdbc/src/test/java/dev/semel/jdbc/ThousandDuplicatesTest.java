// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.testservers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Row 14: a thousand concurrent duplicates, in two processes, on pools of eight connections with a timeout of two
 * seconds.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThousandDuplicatesTest {
    private static final int CALLERS = 1_000;
    private static final Operation<String> SLOW =
            Operation.of("slow", Codec.text()).waitingUpTo(Duration.ofSeconds(60));
    private static final ClaimKey KEY = SLOW.key("acme", "the-one");

    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final CountDownLatch arrived = new CountDownLatch(CALLERS);

    @Test
    void row14_aThousandDuplicatesAtOnceAreOneExecutionAndAThousandAnswers() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared());
                Semel one = engine(database.pool(8));
                Semel other = engine(database.pool(8))) {
            List<CompletableFuture<Outcome<String>>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                Semel semel = i % 2 == 0 ? one : other;
                // Half of them block their own thread, as servlets do.
                callers.add(i % 4 < 2 ? blocking(semel) : asynchronous(semel));
            }
            assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
            result.complete("the one answer");

            for (CompletableFuture<Outcome<String>> caller : callers) {
                assertThat(caller.get(60, TimeUnit.SECONDS).orElseThrow()).isEqualTo("the one answer");
            }
            assertThat(runs).hasValue(1);
        }
    }

    private CompletableFuture<Outcome<String>> blocking(Semel semel) {
        CompletableFuture<Outcome<String>> outcome = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            arrived.countDown();
            outcome.complete(semel.execute(SLOW, KEY, run -> {
                runs.incrementAndGet();
                return result.get(60, TimeUnit.SECONDS);
            }));
        });
        caller.setDaemon(true);
        caller.start();
        return outcome;
    }

    private CompletableFuture<Outcome<String>> asynchronous(Semel semel) {
        CompletableFuture<Outcome<String>> outcome = semel.executeAsync(SLOW, KEY, run -> {
                    runs.incrementAndGet();
                    return result;
                })
                .toCompletableFuture();
        arrived.countDown();
        return outcome;
    }

    private static Semel engine(DataSource pool) {
        return Semel.on(JdbcClaimStore.migrating(pool))
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .withoutSweep()
                .build();
    }
}
