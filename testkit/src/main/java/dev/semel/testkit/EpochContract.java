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

/** What caches go by: one number for all processes, which only grows and never comes twice. */
abstract class EpochContract extends ContractGroup {
    EpochContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void anEpochLastsUntilSomebodyAdvancesIt() {
        long before = epoch().current();
        applied(Commands.insert(newRef()));
        sweepAll();

        assertThat(epoch().current()).as("claims go on within an epoch").isEqualTo(before);
        assertThat(epoch().advance()).isGreaterThan(before);
    }

    @Test
    void whatOneProcessAdvancedEveryProcessSees() {
        long advanced = epoch().advance();
        assertThat(secondEpoch().current()).isEqualTo(advanced);

        long again = secondEpoch().advance();
        assertThat(again).isGreaterThan(advanced);
        assertThat(epoch().current()).isEqualTo(again);
    }

    /** A database that was restored from an older copy must not hand out an epoch that caches have seen. */
    @Test
    void aNewEpochIsNotBehindTheClock() {
        long anHourAgo = TimeUnit.SECONDS.toMicros(
                Instant.now().minus(Duration.ofHours(1)).getEpochSecond());

        assertThat(epoch().advance()).isGreaterThan(anHourAgo);
    }

    @Test
    void epochsThatAreAdvancedAtOnceAreAllDifferent() {
        List<Long> epochs = Together.<List<Long>>run(8, thread -> () -> {
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
