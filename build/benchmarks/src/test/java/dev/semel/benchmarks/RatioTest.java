// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RatioTest {
    @Test
    void theMedianHasARange() {
        assertThat(Ratio.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Ratio(2, 1, 3));
        assertThat(Ratio.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Ratio(2.5, 1, 4));
    }

    @Test
    void ofTwentyFourRoundsSixOnEachSideAreOutsideOfTheInterval() {
        List<Double> rounds =
                DoubleStream.iterate(1, i -> i + 1).limit(24).boxed().toList();
        assertThat(Ratio.within95(rounds)).isEqualTo(new Ratio(12.5, 7, 18));
    }

    @Test
    void eachRoundIsComparedWithItsNeighbour() {
        Paired paired = new Paired(List.of(round(200), round(900)), List.of(round(100), round(300)));
        assertThat(paired.p50()).isEqualTo(new Ratio(2.5, 2, 3));
        assertThat(paired.p99()).isEqualTo(new Ratio(2.5, 2, 3));
        assertThat(paired.rate()).isEqualTo(new Ratio(1, 1, 1));
    }

    private static Measurement round(long micros) {
        return new Measurement(
                1, new long[] {micros * 1_000}, 1, new Cpu.Spent(0, Map.of()), ThreadCounts.Counted.NOTHING);
    }
}
