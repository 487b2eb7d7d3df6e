// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MeasurementTest {
    @Test
    void aQuantileIsTheTimeThatThisPartOfTheCallsDoesNotExceed() {
        Measurement thousand = of(LongStream.rangeClosed(1, 1_000).map(i -> 1_001 - i), 1);
        assertThat(thousand.micros(0.5)).isEqualTo(500);
        assertThat(thousand.micros(0.99)).isEqualTo(990);
        assertThat(thousand.micros(0.999)).isEqualTo(999);
        assertThat(thousand.micros(1)).isEqualTo(1_000);
        assertThat(of(LongStream.of(7), 1).micros(0.999)).isEqualTo(7);
    }

    @Test
    void everythingIsForAPieceOfWork() {
        Measurement batches = new Measurement(
                2,
                new long[] {1, 1},
                10,
                new Cpu.Spent(40_000, Map.of(Cpu.DATABASE, 60_000L)),
                new ThreadCounts.Counted(2_000, 30));
        assertThat(batches.perSecond()).isEqualTo(10);
        assertThat(batches.cpuMicros()).isEqualTo(2);
        assertThat(batches.otherCpuMicros()).containsExactly(Map.entry(Cpu.DATABASE, 3.0));
        assertThat(batches.bytes()).isEqualTo(100);
        assertThat(batches.switches()).isEqualTo(1.5);
    }

    @Test
    void roundsOfTheSameContenderAreJoined() {
        Measurement joined = Measurement.together(List.of(of(LongStream.of(1, 3), 1), of(LongStream.of(2, 4), 1)));
        assertThat(joined.calls()).isEqualTo(4);
        assertThat(joined.micros(0.5)).isEqualTo(2);
    }

    @Test
    void aRoundWithoutCallsIsAnError() {
        assertThatThrownBy(() -> of(LongStream.empty(), 1)).hasMessageContaining("without any call");
    }

    private static Measurement of(LongStream micros, int pieces) {
        return new Measurement(
                1,
                micros.map(micro -> micro * 1_000).toArray(),
                pieces,
                new Cpu.Spent(0, Map.of()),
                ThreadCounts.Counted.NOTHING);
    }
}
