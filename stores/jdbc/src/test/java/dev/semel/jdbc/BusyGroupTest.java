// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.key.Secrets;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that does not answer: the number of waiting rows is limited, and so are the bytes of a batch. */
@Timeout(120)
class BusyGroupTest {
    private static final Operation<String> POST = Operation.of("post", Codec.text());
    private static final int TOO_MANY = 100;

    @TempDir
    private Path folder;

    @Test
    void rowsBeyondTheBoundAreRefusedAtOnce_andTheOthersAreWritten() {
        CountDownLatch answering = new CountDownLatch(1);
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                GroupedClaims<Integer, String> group = GroupedClaims.on(
                        TransactionalClaims.on(store, Secrets.of("0123456789abcdef0123456789abcdef")),
                        POST,
                        (connection, rows) -> awaited(answering))) {
            List<CompletableFuture<Outcome<String>>> waiting = new ArrayList<>();
            IntStream.range(0, GroupedClaims.MAX_PENDING).forEach(i -> waiting.add(submitted(group, i)));

            for (int i = 0; i < TOO_MANY; i++) {
                CompletableFuture<Outcome<String>> refused = submitted(group, GroupedClaims.MAX_PENDING + i);
                assertThat(refused).isDone();
                assertThat(refused.join())
                        .isInstanceOfSatisfying(
                                Outcome.Unavailable.class,
                                outcome -> assertThat(outcome.reason()).contains("busy"));
            }
            answering.countDown();
            assertThat(waiting).allMatch(one -> one.join().equals(new Outcome.Succeeded<>("done", false)));
            assertThat(submitted(group, -1).join()).isEqualTo(new Outcome.Succeeded<>("done", false));
        }
    }

    /** Rows of 1 MiB each that all wait at the same time. A transaction contains at most 4 MiB of them. */
    @Test
    void aBatchIsBoundedInBytes() {
        CountDownLatch answering = new CountDownLatch(1);
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        GroupEffect<Integer> large = new GroupEffect<>() {
            @Override
            public void apply(Connection connection, List<Integer> rows) {
                sizes.add(rows.size());
                awaited(answering);
            }

            @Override
            public long bytes(Integer row) {
                return 1 << 20;
            }
        };
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                GroupedClaims<Integer, String> group = GroupedClaims.on(
                        TransactionalClaims.on(store, Secrets.of("0123456789abcdef0123456789abcdef")), POST, large)) {
            List<CompletableFuture<Outcome<String>>> waiting = new ArrayList<>();
            IntStream.range(0, 40).forEach(i -> waiting.add(submitted(group, i)));
            answering.countDown();

            assertThat(waiting).allMatch(one -> one.join().equals(new Outcome.Succeeded<>("done", false)));
            assertThat(sizes).allMatch(size -> size <= 4).contains(3);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static CompletableFuture<Outcome<String>> submitted(GroupedClaims<Integer, String> group, int row) {
        return group.submit(POST.key("acme", "key-" + row), row, "done").toCompletableFuture();
    }
}
