// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EngineTest
class DeadlinesTest {
    private final ScheduledThreadPoolExecutor timer = EngineThreads.timer("test-timer");
    private final Deadlines deadlines = new Deadlines(timer);

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    /** One who is told may fail in a way that no future catches: its exception cannot even be printed. */
    @Test
    void oneThatFailsWhenItIsToldStopsNobodyElsesBound() {
        for (int i = 0; i < 3; i++) {
            deadlines.within(Duration.ofMillis(200), new CompletableFuture<>()).handle((answer, late) -> {
                throw new Unprintable();
            });
        }
        CompletableFuture<String> sameTick = deadlines.within(Duration.ofMillis(200), new CompletableFuture<>());
        CompletableFuture<String> later = deadlines.within(Duration.ofMillis(300), new CompletableFuture<>());

        await().until(() -> sameTick.isCompletedExceptionally() && later.isCompletedExceptionally());

        CompletableFuture<String> next = deadlines.within(Duration.ofMillis(200), new CompletableFuture<>());
        await().until(next::isCompletedExceptionally);
    }

    @SuppressWarnings("serial")
    private static final class Unprintable extends RuntimeException {
        @Override
        public String getMessage() {
            throw new InternalError("no memory");
        }
    }
}
