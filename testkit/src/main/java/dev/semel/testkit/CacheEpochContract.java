// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.CacheEpoch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The tests that a store with a {@link CacheEpoch} must pass: all processes see one number, which only grows and never
 * repeats. A store's contract test adds them as a nested class:
 *
 * <pre>{@code
 * @Nested
 * class Epoch extends CacheEpochContract {
 *     Epoch() {
 *         super(MyStoreContractTest.this);
 *     }
 *
 *     @Override
 *     protected CacheEpoch epoch() {
 *         return FIRST;
 *     }
 *
 *     @Override
 *     protected CacheEpoch secondEpoch() {
 *         return SECOND;
 *     }
 * }
 * }</pre>
 */
public abstract class CacheEpochContract extends ContractGroup {
    /** Tests the epoch of the store that this contract tests. */
    protected CacheEpochContract(ClaimStoreContract contract) {
        super(contract);
    }

    /** The epoch of {@link ClaimStoreContract#store()}. */
    protected abstract CacheEpoch epoch();

    /** The same epoch, as a second process sees it. */
    protected abstract CacheEpoch secondEpoch();

    @Test
    void anEpochLastsUntilItIsAdvanced() {
        long before = epoch().current();
        applied(Commands.insert(newRef()));
        sweepAll();

        assertThat(epoch().current()).as("the epoch after a claim and a sweep").isEqualTo(before);
        assertThat(epoch().advance()).isGreaterThan(before);
    }

    @Test
    void everyProcessSeesAnAdvancedEpoch() {
        long advanced = epoch().advance();
        assertThat(secondEpoch().current()).isEqualTo(advanced);

        long again = secondEpoch().advance();
        assertThat(again).isGreaterThan(advanced);
        assertThat(epoch().current()).isEqualTo(again);
    }

    /** A database that was restored from an older copy must not return an epoch that caches have already used. */
    @Test
    void aNewEpochIsNotBehindTheClock() {
        long anHourAgo = TimeUnit.SECONDS.toMicros(
                Instant.now().minus(Duration.ofHours(1)).getEpochSecond());

        assertThat(epoch().advance()).isGreaterThan(anHourAgo);
    }

    @Test
    void concurrentAdvancesReturnDifferentEpochs() {
        List<Long> epochs = ConcurrentThreads.<List<Long>>run(8, thread -> () -> {
                    CacheEpoch mine = thread % 2 == 0 ? epoch() : secondEpoch();
                    List<Long> own = new ArrayList<>();
                    for (int i = 0; i < 20; i++) {
                        own.add(mine.advance());
                    }
                    assertThat(own).isSorted();
                    return own;
                })
                .stream()
                .flatMap(List::stream)
                .toList();

        assertThat(epochs).doesNotHaveDuplicates();
        assertThat(epoch().current())
                .isGreaterThanOrEqualTo(
                        epochs.stream().mapToLong(Long::longValue).max().orElseThrow());
    }
}
