// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoalescedWritesTest {
    private final CoalescedWrites<String, String> writes = new CoalescedWrites<>(outcome -> false);

    @Test
    void callersOfOneKeyShareTheFirstWrite() {
        CompletableFuture<String> writing = new CompletableFuture<>();
        CompletableFuture<String> first = writes.submit("key", () -> writing);
        CompletableFuture<String> second = writes.submit("key", () -> CompletableFuture.completedFuture("its own"));

        writing.complete("written");

        assertThat(first).isCompletedWithValue("written");
        assertThat(second).isCompletedWithValue("written");
    }

    /** Otherwise the key would stay in progress, and later callers would wait for a write that never ends. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteThatThrowsFailsItsCallerAndFreesTheKey(boolean error) {
        CompletableFuture<String> failed = writes.submit("key", () -> {
            if (error) {
                throw new InternalError("test");
            }
            throw new IllegalStateException("test");
        });

        assertThat(failed).isCompletedExceptionally();
        assertThat(writes.submit("key", () -> CompletableFuture.completedFuture("written")))
                .isCompletedWithValue("written");
    }
}
