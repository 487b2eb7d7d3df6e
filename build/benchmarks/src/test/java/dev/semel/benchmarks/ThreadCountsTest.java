// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadCountsTest {
    private static final int MIB = 1 << 20;

    @Test
    void whatThreadsAllocateIsCountedAlsoAfterTheirEnd() throws Exception {
        ThreadCounts counts = ThreadCounts.start();
        byte[][] kept = new byte[2][];
        Thread ending = new Thread(() -> {
            kept[0] = new byte[MIB];
            counts.addThisThread();
        });
        ending.start();
        ending.join();
        kept[1] = new byte[MIB];
        assertThat(counts.soFar().bytes()).isBetween(2.0 * MIB, 8.0 * MIB);
    }

    @Test
    void aNewThreadCountsFromZero() {
        assertThat(ThreadCounts.grown(Map.of(1, 5L, 2, 7L), Map.of(1, 9L, 3, 2L)))
                .isEqualTo(6);
    }

    @Test
    void linuxReportsTheSwitchesOfAThread() {
        assertThat(ThreadCounts.switchesIn(
                        List.of("Name:\tjava", "voluntary_ctxt_switches:\t1234", "nonvoluntary_ctxt_switches:\t99")))
                .isEqualTo(1_234);
        assertThat(ThreadCounts.switchesIn(List.of())).isZero();
    }
}
