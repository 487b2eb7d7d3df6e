// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlarmsTest {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("test-timer");
    private final Alarms alarms = new Alarms(Environment.SYSTEM, timer);

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    @Test
    void ringsInTheOrderOfTheTimes() throws InterruptedException {
        List<Integer> rung = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(3);
        for (int millis : List.of(30, 10, 20)) {
            alarms.set(TimeUnit.MILLISECONDS.toNanos(millis), () -> {
                rung.add(millis);
                all.countDown();
            });
        }

        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(rung).containsExactly(10, 20, 30);
        assertThat(timer.getQueue()).isEmpty();
    }

    /** The reason for this class: a caller that is alone would otherwise wake the timer with every call. */
    @Test
    void aLaterAlarmDoesNotTouchTheTimer() {
        alarms.set(HOUR, () -> {});
        Runnable first = timer.getQueue().element();

        alarms.set(HOUR + 1_000_000, () -> {}).stop();
        alarms.set(2 * HOUR, () -> {});

        assertThat(timer.getQueue()).containsExactly(first);
    }

    @Test
    void anEarlierAlarmReplacesTheTask() {
        alarms.set(2 * HOUR, () -> {});

        alarms.set(HOUR, () -> {});

        assertThat(timer.getQueue()).hasSize(1);
        Duration delay = Duration.ofNanos(((Delayed) timer.getQueue().element()).getDelay(TimeUnit.NANOSECONDS));
        assertThat(delay).isLessThanOrEqualTo(Duration.ofHours(1));
    }

    @Test
    void aStoppedAlarmDoesNotRing_andOthersDo() {
        CompletableFuture<String> rung = new CompletableFuture<>();
        Alarms.Alarm stopped = alarms.set(50_000_000, () -> rung.complete("stopped"));
        alarms.set(60_000_000, () -> rung.complete("kept"));

        stopped.stop();
        stopped.stop();

        assertThat(rung.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("kept");
    }

    @Test
    void aTaskThatThrowsDoesNotKeepOthersFromRinging() {
        CompletableFuture<Void> rung = new CompletableFuture<>();
        alarms.set(0, () -> {
            throw new IllegalStateException("on purpose");
        });
        alarms.set(1, () -> rung.complete(null));

        rung.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void everyAlarmOfManyThreadsRingsOnce() throws InterruptedException {
        int threads = 4;
        int each = 2_000;
        CountDownLatch rung = new CountDownLatch(threads * each / 2);
        CountDownLatch wrong = new CountDownLatch(1);
        List<Thread> setters = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            setters.add(new Thread(() -> {
                for (int n = 0; n < each / 2; n++) {
                    alarms.set(ThreadLocalRandom.current().nextLong(5_000_000), rung::countDown);
                    alarms.set(HOUR, wrong::countDown).stop();
                }
            }));
        }
        setters.forEach(Thread::start);
        for (Thread setter : setters) {
            setter.join();
        }

        assertThat(rung.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong.getCount()).isEqualTo(1);
    }

    @Test
    void aTimerThatWasShutDownIsReported() {
        timer.shutdownNow();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> alarms.set(1, () -> {}));
    }
}
