// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JournalThreadsTest {
    private static final int MAX_WAITING = 10_000;

    /** Otherwise a client that repeatedly gives up would keep all readers busy. */
    @Test
    void aReadThatTimesOutInTheQueueIsNeverMade() {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        // Two threads mean one reader, which is busy.
        try (JournalThreads threads = new JournalThreads(2, Duration.ofMillis(50))) {
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

    /** Otherwise waiting reads would fill the memory while the database is unavailable. */
    @Test
    void aReadIsRefusedWhileTooManyWait() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        try (JournalThreads threads = new JournalThreads(2, Duration.ofSeconds(60))) {
            CompletableFuture<Boolean> busy = threads.read(() -> {
                begun.countDown();
                return meet(released);
            });
            assertThat(meet(begun)).isTrue();
            List<CompletableFuture<Integer>> waiting = Stream.generate(() -> threads.read(() -> 1))
                    .limit(MAX_WAITING)
                    .toList();

            CompletableFuture<Integer> refused = threads.read(() -> 1);

            assertThat(refused).isCompletedExceptionally();
            assertThatThrownBy(refused::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BUSY));
            assertThat(waiting).noneMatch(CompletableFuture::isDone);

            released.countDown();

            assertThat(busy.join()).isTrue();
            assertThat(waiting).allSatisfy(read -> assertThat(read.join()).isEqualTo(1));
            assertThat(threads.read(() -> 2).join()).isEqualTo(2);
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
