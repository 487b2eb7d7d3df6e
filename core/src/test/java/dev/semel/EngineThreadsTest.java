// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@EngineTest
class EngineThreadsTest {
    @Test
    void areNamedAndDoNotKeepAProcessAlive() throws Exception {
        ExecutorService pool = EngineThreads.pool("semel-test", 2);
        try {
            Thread first = pool.submit(Thread::currentThread).get();
            Thread second = pool.submit(Thread::currentThread).get();

            assertThat(first.getName()).isEqualTo("semel-test-1");
            assertThat(second.getName()).isEqualTo("semel-test-2");
            assertThat(first.isDaemon()).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aTimerForgetsWhatWasCancelled() {
        ScheduledThreadPoolExecutor timer = EngineThreads.timer("semel-test");
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
