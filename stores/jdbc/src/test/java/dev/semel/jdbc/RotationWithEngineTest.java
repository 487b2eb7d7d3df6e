// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Engine and transactions in one table, both rotated: still two claims per key, one count, one sweep. */
@ParameterizedClass
@EachDatabase
class RotationWithEngineTest {
    private static final Operation<String> PAY =
            Operation.of("pay", Codec.text()).withTtl(Duration.ofHours(1));
    private static final ClaimKey KEY = PAY.key("acme", "order-17");

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private JdbcClaimStore store;
    private List<TransactionalClaims> steps;
    private List<Semel> engines;
    private Effects effects;

    RotationWithEngineTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        store = database.store(4);
        effects = Effects.in(database);
        steps = RotationSteps.steps(store);
        engines = RotationSteps.STEPS.stream()
                .map(secrets -> Semel.on(store).secrets(secrets).withoutSweep().build())
                .toList();
    }

    @AfterEach
    void close() throws Exception {
        engines.forEach(Semel::close);
        database.close();
    }

    private Outcome<String> inTransaction(int step, ClaimKey key) {
        return steps.get(step).inTransaction(PAY, key, (connection, run) -> {
            Effects.add(connection, "in a transaction");
            return "in a transaction";
        });
    }

    private Outcome<String> leased(int step, ClaimKey key) {
        return engines.get(step).execute(PAY, key, run -> "leased");
    }

    @Test
    void theSameKeyInBothWaysIsTwoClaims_byEverySecret() {
        inTransaction(RotationSteps.BEFORE, KEY);
        assertThat(leased(RotationSteps.BEFORE, KEY)).isEqualTo(new Outcome.Succeeded<>("leased", false));

        for (int step = RotationSteps.ADDED; step <= RotationSteps.RETIRED; step++) {
            assertThat(leased(step, KEY)).isEqualTo(new Outcome.Succeeded<>("leased", true));
            assertThat(inTransaction(step, KEY)).isEqualTo(new Outcome.Succeeded<>("in a transaction", true));
        }
        assertThat(effects.counts()).isEqualTo(Map.of("in a transaction", 1));
    }

    @Test
    void theOldSecretCanBeRemovedOnceBothWereAskedFor() {
        inTransaction(RotationSteps.BEFORE, KEY);
        leased(RotationSteps.BEFORE, KEY);
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isEqualTo(2);

        leased(RotationSteps.PROMOTED, KEY);
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isEqualTo(1);
        inTransaction(RotationSteps.PROMOTED, KEY);
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isZero();
    }

    @Test
    void aClaimIsFoundByEachOfItsDigests() {
        inTransaction(RotationSteps.PROMOTED, KEY);

        assertThat(store.find(steps.get(RotationSteps.BEFORE).refOf(PAY, KEY)))
                .isPresent()
                .isEqualTo(store.find(steps.get(RotationSteps.RETIRED).refOf(PAY, KEY)));
        assertThat(store.counts("acme").values()).containsOnly(1L);
    }

    @Test
    void theSweepDeletesAClaimWithItsPointers() {
        inTransaction(RotationSteps.BEFORE, KEY);
        inTransaction(RotationSteps.ADDED, KEY);
        leased(RotationSteps.BEFORE, KEY);
        leased(RotationSteps.ADDED, KEY);
        assertThat(effects.claims()).as("each with a pointer").isEqualTo(Map.of("SUCCEEDED", 2, "UNKNOWN", 2));

        database.age(steps.get(RotationSteps.BEFORE).refOf(PAY, KEY), Duration.ofHours(2));
        store.sweep(100);

        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 1, "UNKNOWN", 1));
        assertThat(inTransaction(RotationSteps.RETIRED, KEY))
                .isEqualTo(new Outcome.Succeeded<>("in a transaction", false));
        assertThat(leased(RotationSteps.RETIRED, KEY)).isEqualTo(new Outcome.Succeeded<>("leased", true));
    }

    @Test
    void aPointerInAnOpenTransactionDoesNotDelayASweep() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        ClaimKey other = PAY.key("acme", "another order");
        for (ClaimKey key : List.of(KEY, other)) {
            inTransaction(RotationSteps.ADDED, key);
            database.age(steps.get(RotationSteps.BEFORE).refOf(PAY, key), Duration.ofHours(2));
        }
        try (Connection connection = database.begin()) {
            steps.get(RotationSteps.ADDED).execute(connection, PAY, KEY, run -> "anew");

            store.sweep(100);

            assertThat(effects.claims())
                    .as("of the key in the open transaction")
                    .isEqualTo(Map.of("SUCCEEDED", 1, "UNKNOWN", 1));
            connection.commit();
        }
        assertThat(inTransaction(RotationSteps.RETIRED, KEY)).isEqualTo(new Outcome.Succeeded<>("anew", true));
    }
}
