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
        int code = Simulate.many(StoreKind.MEMORY, 1, 10_000, new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
    }

    /** Slower: the whole store runs, with every request. */
    @Test
    void fiveHundredSeedsOnDynamoDbBreakNoRule() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = Simulate.many(StoreKind.DYNAMODB, 1, 500, new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    @Tag("simulate")
    void manySeedsOnDynamoDbBreakNoRule() {
        assertThat(Simulate.many(
                        StoreKind.DYNAMODB, 1_000_000, Long.getLong("semel.seeds", 1_000_000) / 10, System.out))
                .as("see the output above")
                .isZero();
    }

    /** {@code mvn -Psimulate -pl build/simulation -am verify -Dsurefire.failIfNoTests=false}, and {@code -Dsemel.seeds=N} for others. */
    @Test
    @Tag("simulate")
    void aMillionSeedsBreakNoRule() {
        assertThat(Simulate.many(StoreKind.MEMORY, 1_000_000, Long.getLong("semel.seeds", 1_000_000), System.out))
                .as("see the output above")
                .isZero();
    }
}
