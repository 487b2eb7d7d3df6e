// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SweepReportTest {
    @Test
    void addsUpAndKeepsWhetherTheLastOneFoundMore() {
        SweepReport first = new SweepReport(1, 2, 3, true);
        SweepReport second = new SweepReport(10, 20, 30, false);

        assertThat(first.plus(second)).isEqualTo(new SweepReport(11, 22, 33, false));
        assertThat(second.plus(first)).isEqualTo(new SweepReport(11, 22, 33, true));
    }

    @Test
    void countsEveryRowThatItTouched() {
        assertThat(new SweepReport(1, 20, 300, true).total()).isEqualTo(321);
        assertThat(SweepReport.NOTHING.total()).isZero();
    }
}
