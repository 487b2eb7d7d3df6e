// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    /** Otherwise a client that asks and leaves, again and again, would keep all readers busy. */
    @Test
    void aReadThatTimedOutBeforeItBeganNeverBegins() {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        // One reader, which is busy.
        try (Threads threads = new Threads(2, Duration.ofMillis(50))) {
            CompletableFuture<Boolean> first = threads.read(() -> meet(released));
            CompletableFuture<Integer> second = threads.read(begun::incrementAndGet);
            assertThatThrownBy(second::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(StoreException.class);
            assertThatThrownBy(first::join).hasCauseInstanceOf(StoreException.class);

            released.countDown();

            CompletableFuture<Integer> third = threads.read(() -> -1).exceptionally(late -> -1);
            assertThat(third.join()).isEqualTo(-1);
            assertThat(begun).hasValue(0);
        }
    }

    private static boolean meet(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
