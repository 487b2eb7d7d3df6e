// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {
    @Test
    void areNamedAndDoNotKeepAProcessRunning() {
        ThreadFactory factory = DaemonThreads.factory("semel-test");

        Thread first = factory.newThread(() -> {});
        Thread second = factory.newThread(() -> {});

        assertThat(first.getName()).isEqualTo("semel-test-1");
        assertThat(second.getName()).isEqualTo("semel-test-2");
        assertThat(first.isDaemon()).isTrue();
    }

    @Test
    void aTimerForgetsCancelledTasks() {
        ScheduledThreadPoolExecutor timer = DaemonThreads.timer("semel-test");
        try {
            Future<?> alarm = timer.schedule(() -> {}, 1, TimeUnit.HOURS);
            assertThat(timer.getQueue()).hasSize(1);

            alarm.cancel(false);

            assertThat(timer.getQueue()).isEmpty();
        } finally {
            timer.shutdownNow();
        }
    }
}
