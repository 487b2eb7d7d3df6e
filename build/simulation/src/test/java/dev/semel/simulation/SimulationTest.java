// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No seed breaks a rule. */
class SimulationTest {
    @Test
    void tenThousandSeedsBreakNoRule() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = Simulate.many(1, 10_000, new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
    }

    /** {@code mvn -Psimulate -pl build/simulation -am verify -Dsurefire.failIfNoTests=false}, and {@code -Dsemel.seeds=N} for others. */
    @Test
    @Tag("simulate")
    void aMillionSeedsBreakNoRule() {
        assertThat(Simulate.many(1_000_000, Long.getLong("semel.seeds", 1_000_000), System.out))
                .as("see the output above")
                .isZero();
    }
}
