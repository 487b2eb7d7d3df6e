// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadlinesTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);

    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("test-timer");
    private final Deadlines deadlines =
            new Deadlines(timer, () -> new IllegalStateException("late"), () -> new IllegalStateException("closed"));

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    @Test
    void aCopyFailsWhileTheCallGoesOn() {
        CompletableFuture<String> call = new CompletableFuture<>();

        assertFails(deadlines.within(SHORT, call), "late");

        assertThat(call).isNotDone();
    }

    @Test
    void aCallItselfFails() {
        CompletableFuture<String> call = new CompletableFuture<>();

        assertThat(deadlines.bound(SHORT, call)).isSameAs(call);

        assertFails(call, "late");
    }

    @Test
    void anAnswerInTimeIsKept() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> copy = deadlines.within(LONG, first);
        deadlines.bound(LONG, second);
        deadlines.untilClosed(second);

        first.complete("first");
        second.complete("second");

        assertThat(copy).isCompletedWithValue("first");
        assertThat(second).isCompletedWithValue("second");
        await().until(() -> timer.getQueue().isEmpty());
    }

    @Test
    void closingAnswersEveryOpenCall() {
        CompletableFuture<String> copy = deadlines.within(LONG, new CompletableFuture<>());
        CompletableFuture<String> bound = deadlines.bound(LONG, new CompletableFuture<>());
        CompletableFuture<String> unbound = deadlines.untilClosed(new CompletableFuture<>());
        timer.shutdownNow();

        deadlines.close();

        assertFails(copy, "closed");
        assertFails(bound, "closed");
        assertFails(unbound, "closed");
    }

    @Test
    void callsAfterClosingFailAtOnce() {
        deadlines.close();

        assertFails(deadlines.within(LONG, new CompletableFuture<>()), "closed");
        assertFails(deadlines.bound(LONG, new CompletableFuture<>()), "closed");
        assertFails(deadlines.untilClosed(new CompletableFuture<>()), "closed");
        assertThat(deadlines.bound(LONG, CompletableFuture.completedFuture("answer")))
                .isCompletedWithValue("answer");
    }

    @Test
    void nothingTicksWithoutADeadline() {
        deadlines.untilClosed(new CompletableFuture<>());

        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void unsentCommandsAreWithdrawnBeforeTheirCallersFail() {
        List<String> order = new CopyOnWriteArrayList<>();
        long deadline = System.nanoTime() + SHORT.toNanos();
        CompletableFuture<String> answer = new CompletableFuture<>();
        answer.whenComplete((done, late) -> order.add("answer"));
        deadlines.bound(SHORT, answer);
        deadlines.add(new Deadlines.Bound() {
            @Override
            public long deadline() {
                return deadline;
            }

            @Override
            public void over() {
                order.add("withdrawn");
            }
        });

        await().until(() -> order.size() == 2);

        assertThat(order).containsExactly("withdrawn", "answer");
    }

    /** A callback may fail in a way that no future catches: the message of its exception cannot be read. */
    @Test
    void aCallbackThatThrowsDoesNotAffectOtherCalls() {
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

    @Test
    void aDurationThatWouldOverflowIsAHundredYears() {
        assertThat(Deadlines.nanos(Duration.ofSeconds(Long.MAX_VALUE)))
                .isEqualTo(Duration.ofDays(36_500).toNanos());
    }

    private static void assertFails(CompletableFuture<?> call, String message) {
        assertThatThrownBy(call::join).cause().hasMessage(message);
    }

    @SuppressWarnings("serial")
    private static final class Unprintable extends RuntimeException {
        @Override
        public String getMessage() {
            throw new InternalError("no memory");
        }
    }
}
