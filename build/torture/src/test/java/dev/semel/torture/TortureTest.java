// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.faults.FaultKind;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short run on every store. {@code ./semel torture} runs longer. */
class TortureTest {
    /** Without crashes of the servers, which take too long for a short run. */
    private static final Set<FaultKind> FAULTS =
            EnumSet.complementOf(EnumSet.of(FaultKind.DATABASE, FaultKind.REDIS, FaultKind.PARTITION));

    private static final long SEED = 4711;

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite", "postgresql", "mariadb", "dynamodb"})
    void findsNothing(String store) throws Exception {
        tortures(store);
    }

    @Test
    @Tag("mysql")
    void findsNothingOnMySql() throws Exception {
        tortures("mysql");
    }

    @ParameterizedTest
    @Tag("cluster")
    @ValueSource(strings = {"mysql-cluster", "mysql-primaries"})
    void findsNothingOnAGroupOfMySql(String store) throws Exception {
        tortures(store);
    }

    private static void tortures(String store) throws Exception {
        TortureOptions options = new TortureOptions(
                store, SEED, Integer.getInteger("semel.torture.seconds", 4), FAULTS, 2, "", Torture.classPath());
        Figures figures = new Figures();
        try (TortureServers servers = TortureServers.start(store, options.faults(), options.classPath())) {
            assertThat(new Round(servers, options, figures, (at, what) -> {}).run())
                    .as(options.command())
                    .isEmpty();
        }
        assertThat(figures.operations.get()).isGreaterThan(50);
    }
}
