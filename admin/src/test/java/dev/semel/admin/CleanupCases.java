// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.JobLeases;
import dev.semel.spi.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** A store in memory or in a file, seen by two processes, and what tests of its cleanup need. */
abstract class CleanupCases {
    private static final KeyDigests DIGESTS = new KeyDigests(Secret.of("the secret of this test, for tests only"));
    static final Duration DAY = Duration.ofDays(1);
    private static final Terms SHORT = Terms.DEFAULT.withTtl(Duration.ofMillis(1));

    @Parameter
    String kind;

    @TempDir
    Path folder;

    ClaimStore store;

    /** The same data, as another process sees it. */
    ClaimStore second;

    final List<SweepReport> swept = new ArrayList<>();
    private final ClaimListener listener = new ClaimListener() {
        @Override
        public void onClaim(ClaimEvent event) {}

        @Override
        public void onSweep(SweepReport report) {
            swept.add(report);
        }
    };

    @BeforeEach
    void open() {
        if (kind.equals("memory")) {
            store = new MemoryClaimStore();
            second = store;
        } else {
            store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
            second = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
        }
    }

    @AfterEach
    void close() {
        if (store instanceof JdbcClaimStore jdbc && second instanceof JdbcClaimStore other) {
            jdbc.close();
            other.close();
        }
    }

    Cleanup cleanup(ClaimStore of, CleanupTask... tasks) {
        return Cleanup.of(of, Duration.ZERO, null, List.of(tasks), List.of(listener));
    }

    static ClaimRef ref(int number) {
        return DIGESTS.refOf(ClaimMode.LEASED, new ClaimKey("acme", "pay", "order-" + number));
    }

    /** Makes claims that have expired when this returns. */
    void expired(int number) {
        for (int from = 0; from < number; from += 1_000) {
            List<Command.Insert> inserts = new ArrayList<>();
            for (int i = from; i < Math.min(number, from + 1_000); i++) {
                inserts.add(insert(ref(i), SHORT));
            }
            store.apply(inserts);
            Map<ClaimRef, Snapshot> seen =
                    store.read(inserts.stream().map(Command.Insert::ref).toList());
            store.apply(seen.values().stream()
                    .map(claim -> settle(claim, Status.SUCCEEDED))
                    .toList());
        }
        await(() -> ((ClaimBrowser) store).due(number + 1) == number);
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("30 seconds are over").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    JobLeases jobs() {
        return (JobLeases) store;
    }

    /** Deletes nothing, and ends when it may. */
    static int waited(CountDownLatch runs, CountDownLatch mayEnd) {
        runs.countDown();
        try {
            assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }
}
