// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestLimitTest {
    private final RequestLimit limited = new RequestLimit(2);
    private final List<CompletableFuture<String>> started = new ArrayList<>();

    private CompletableFuture<String> submit() {
        return limited.submit(() -> {
            CompletableFuture<String> request = new CompletableFuture<>();
            started.add(request);
            return request;
        });
    }

    @Test
    void furtherRequestsWaitUntilOthersHaveEnded() {
        List<CompletableFuture<String>> answers = List.of(submit(), submit(), submit(), submit());
        assertThat(started).hasSize(2);

        started.get(1).complete("second");
        assertThat(answers.get(1)).isCompletedWithValue("second");
        assertThat(started).hasSize(3);

        started.get(0).completeExceptionally(new IllegalStateException("failed"));
        assertThat(answers.get(0)).isCompletedExceptionally();
        assertThat(started).hasSize(4);
        started.get(2).complete("third");
        started.get(3).complete("fourth");
        assertThat(answers.get(3)).isCompletedWithValue("fourth");
    }

    /** The client may be closed: then every request fails at once. */
    @Test
    void aLongQueueOfRequestsThatFailAtOnceIsNoProblem() {
        CompletableFuture<String> first = submit();
        CompletableFuture<String> second = submit();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            answers.add(limited.submit(() -> {
                throw new IllegalStateException("closed");
            }));
        }

        started.get(0).complete("done");
        started.get(1).complete("done");

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
    }
}
