// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OpenLoadTest {
    private static final long MILLI = 1_000_000;
    private static final Schedule EVERY_MILLISECOND = new Schedule(1_000, Duration.ofMillis(5));

    private final FakeClock clock = new FakeClock();
    private final AtomicLong numbers = new AtomicLong();

    @Test
    void callsStartOnTimeAlthoughNoneIsAnswered() throws Exception {
        List<Long> starts = new ArrayList<>();
        List<CompletableFuture<Void>> open = new ArrayList<>();
        OpenLoad.Times times = run(number -> {
            starts.add(clock.nanos());
            open.add(new CompletableFuture<>());
            if (open.size() == EVERY_MILLISECOND.calls()) {
                clock.advance(10 * MILLI);
                open.forEach(one -> one.complete(null));
            }
            return open.get(open.size() - 1);
        });
        assertThat(starts).containsExactly(0L, MILLI, 2 * MILLI, 3 * MILLI, 4 * MILLI);
        assertThat(times.nanos()).containsExactly(14 * MILLI, 13 * MILLI, 12 * MILLI, 11 * MILLI, 10 * MILLI);
        assertThat(times.lateP99Nanos()).isZero();
    }

    @Test
    void aStallCountsForEveryCallThatWasDueMeanwhile() throws Exception {
        OpenLoad.Times times = run(number -> {
            if (number == 1) {
                clock.advance(3 * MILLI);
            }
            return CompletableFuture.completedFuture(null);
        });
        assertThat(times.nanos()).containsExactly(0, 3 * MILLI, 2 * MILLI, MILLI, 0);
        assertThat(times.lateNanos()).containsExactly(0, 0, 2 * MILLI, MILLI, 0);
    }

    @Test
    void aFailingCallFailsTheMeasurementAndNoMoreCallsStart() {
        assertThatThrownBy(() -> run(number -> number == 2
                        ? CompletableFuture.failedFuture(new IllegalStateException("refused"))
                        : CompletableFuture.completedFuture(null)))
                .hasRootCauseMessage("refused");
        assertThat(numbers).hasValue(3);
    }

    private OpenLoad.Times run(Contender.AsyncCall call) throws InterruptedException {
        return OpenLoad.run(call, EVERY_MILLISECOND, clock, numbers::getAndIncrement);
    }

    /** Time passes only when somebody waits for it, or a call takes it. */
    private static final class FakeClock implements OpenLoad.Clock {
        private long now;

        void advance(long nanos) {
            now += nanos;
        }

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void awaitNanos(long due) {
            now = Math.max(now, due);
        }
    }
}
