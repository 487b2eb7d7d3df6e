// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Row 42 for claims in a transaction, alone and grouped: three processes go through the steps one after the other,
 * while all of them ask for the same keys.
 */
@ParameterizedClass
@EachDatabase
@Timeout(300)
class RotationUnderLoadTest {
    private static final Operation<String> POST =
            Operation.of("post", Codec.text()).waitingUpTo(Duration.ofMinutes(2));

    private static final int PROCESSES = 3;
    private static final int NEW_KEYS = 8;
    private static final int OLD_KEYS = 8;

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private JdbcClaimStore store;
    private Effects effects;

    /** By process and step. */
    private final List<List<Writer>> processes = new ArrayList<>();

    private final List<String> keys = new ArrayList<>();

    RotationUnderLoadTest(DatabaseKind kind) {
        this.kind = kind;
    }

    /** Writes this row under this key, once. */
    private interface Writer {
        Outcome<String> write(String key);
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        store = database.store(2);
        effects = Effects.in(database);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private List<TransactionalClaims> steps() {
        return RotationSteps.steps(database.store(6));
    }

    private static Writer alone(TransactionalClaims claims) {
        return key -> claims.inTransaction(POST, POST.key("acme", key), (connection, run) -> {
            Effects.add(connection, key);
            return "done: " + key;
        });
    }

    private Writer grouped(TransactionalClaims claims) {
        GroupedClaims<String, String> group = database.closing(GroupedClaims.on(claims, POST, Effects::addAll));
        return key -> group.submit(POST.key("acme", key), key, "done: " + key)
                .toCompletableFuture()
                .join();
    }

    @Test
    void eachInATransactionOfItsOwn() {
        for (int process = 0; process < PROCESSES; process++) {
            processes.add(steps().stream().map(RotationUnderLoadTest::alone).toList());
        }
        rotate();
    }

    @Test
    void manyInOneTransaction() {
        for (int process = 0; process < PROCESSES; process++) {
            processes.add(steps().stream().map(this::grouped).toList());
        }
        rotate();
    }

    @Test
    void bothAtTheSameTime() {
        for (int process = 0; process < PROCESSES; process++) {
            processes.add(
                    process % 2 == 0
                            ? steps().stream().map(RotationUnderLoadTest::alone).toList()
                            : steps().stream().map(this::grouped).toList());
        }
        rotate();
    }

    private void rotate() {
        List<String> untouched = List.of("early-1", "early-2", "early-3");
        untouched.forEach(key -> process(0, RotationSteps.BEFORE).write(key));

        rollOut(RotationSteps.BEFORE);
        rollOut(RotationSteps.ADDED);
        // A caller that found another process at a key may have been answered before the new pointer could be written.
        keys.forEach(key -> process(0, RotationSteps.ADDED).write(key));
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id()))
                .as("claims that were not asked for since the new secret was added")
                .isEqualTo(untouched.size());
        untouched.forEach(key -> process(0, RotationSteps.PROMOTED).write(key));
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id()))
                .as("once they have been asked for")
                .isZero();
        rollOut(RotationSteps.PROMOTED);

        keys.addAll(untouched);
        for (String key : keys) {
            for (int process = 0; process < PROCESSES; process++) {
                assertThat(process(process, RotationSteps.RETIRED).write(key))
                        .as("%s by the new secret alone", key)
                        .isEqualTo(new Outcome.Succeeded<>("done: " + key, true));
            }
        }
        assertThat(effects.counts()).isEqualTo(keys.stream().collect(Collectors.toMap(key -> key, key -> 1)));
    }

    /** Moves every process from this step to the next. */
    private void rollOut(int step) {
        for (int process = 0; process < PROCESSES; process++) {
            List<Writer> inUse = new ArrayList<>();
            for (int other = 0; other < PROCESSES; other++) {
                inUse.add(process(other, other < process ? step + 1 : step));
                inUse.add(process(other, other <= process ? step + 1 : step));
            }
            hammer(inUse, new Random(31L * step + process));
        }
    }

    /** All callers ask for the same new keys, each in its own order, and for some existing keys. */
    private void hammer(List<Writer> inUse, Random random) {
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < OLD_KEYS && !keys.isEmpty(); i++) {
            asked.add(keys.get(random.nextInt(keys.size())));
        }
        for (int i = 0; i < NEW_KEYS; i++) {
            asked.add("key-" + keys.size());
            keys.add("key-" + keys.size());
        }
        long seed = random.nextLong();
        Callers.together(2 * inUse.size(), caller -> {
            List<String> own = new ArrayList<>(asked);
            Collections.shuffle(own, new Random(seed + caller));
            for (String key : own) {
                assertThat(inUse.get(caller % inUse.size()).write(key).orElseThrow())
                        .isEqualTo("done: " + key);
            }
            return caller;
        });
    }

    private Writer process(int process, int step) {
        return processes.get(process).get(step);
    }
}
