// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PausesTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("test-timer");
    private final Pauses pauses = new Pauses(timer);

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    @Test
    void endAfterTheirTime() throws Exception {
        assertThat(pauses.after(1_000_000).get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void endWhenClosedAfterTheTimerDroppedThem() {
        CompletableFuture<Boolean> pause = pauses.after(HOUR);

        timer.shutdownNow();
        assertThat(pause).isNotDone();
        pauses.close();

        assertThat(pause).isCompletedWithValue(false);
    }

    @Test
    void endWhenClosedBeforeTheTimer() {
        CompletableFuture<Boolean> pause = pauses.after(HOUR);

        pauses.close();

        assertThat(pause).isCompletedWithValue(false);
        assertThat(pauses.after(HOUR)).isCompletedWithValue(false);
        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void endAtOnceIfTheTimerIsShutDown() {
        timer.shutdownNow();

        assertThat(pauses.after(HOUR)).isCompletedWithValue(false);
    }

    @Test
    void oneThatIsEndedEarlyLeavesNothingBehind() {
        pauses.after(HOUR).complete(true);

        assertThat(timer.getQueue()).isEmpty();
    }
}
