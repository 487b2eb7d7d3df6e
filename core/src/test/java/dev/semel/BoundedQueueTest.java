// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundedQueueTest {
    /** As after a silent store: each waiting part ends at once when it begins. */
    @Test
    void manyPartsThatEndAtOnceAreAllBegun() {
        BoundedQueue parts = new BoundedQueue(1);
        CompletableFuture<String> silent = new CompletableFuture<>();
        AtomicInteger begun = new AtomicInteger();
        parts.add(() -> silent);
        int count = 50_000;
        for (int i = 0; i < count; i++) {
            parts.add(() -> {
                begun.incrementAndGet();
                return CompletableFuture.completedFuture("at once");
            });
        }

        silent.complete("late");

        assertThat(begun).hasValue(count);
    }
}
