// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A secret is rotated under load. Three processes take the steps one after another: the old secret; the old one and the
 * new one; the new one and the old one; the new one alone. While a process changes over, callers use its old engine and its
 * new one at the same time.
 */
abstract class RotatingContract extends ContractGroup {
    private static final Operation<String> WORK =
            Operation.of(Commands.SCOPE, Codec.text()).waitingUpTo(Duration.ofMinutes(1));

    private static final int PROCESSES = 3;
    private static final int NEW_KEYS = 4;
    private static final int OLD_KEYS = 6;

    private final Secret old = Secret.of("the old secret, " + UUID.randomUUID());
    private final Secret fresh = Secret.of("the new secret, " + UUID.randomUUID());
    private final List<Secrets> steps =
            List.of(Secrets.of(old), Secrets.of(old, fresh), Secrets.of(fresh, old), Secrets.of(fresh));

    /** By process and step. */
    private final List<List<Semel>> engines = new ArrayList<>();

    private final List<String> keys = new ArrayList<>();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();

    RotatingContract(ClaimStoreContract contract) {
        super(contract);
    }

    private void open() {
        for (int process = 0; process < PROCESSES; process++) {
            ClaimStore store = process % 2 == 0 ? store() : secondStore();
            engines.add(steps.stream()
                    .map(secrets -> Semel.on(store)
                            .secrets(secrets)
                            .storeThreads(2)
                            .storeTimeout(Duration.ofSeconds(30))
                            .withoutSweep()
                            .build())
                    .toList());
        }
    }

    @AfterEach
    void close() {
        engines.forEach(process -> process.forEach(Semel::close));
    }

    @Test
    void row42_aSecretIsRotatedUnderLoad_andEveryEffectHappensOnce() {
        open();
        List<String> untouched = List.of("early-1", "early-2", "early-3");
        untouched.forEach(key -> call(engine(0, 0), key));

        rollOut(0);
        rollOut(1);
        untouched.forEach(key -> call(engine(0, 2), key));
        rollOut(2);

        keys.addAll(untouched);
        for (String key : keys) {
            for (int process = 0; process < PROCESSES; process++) {
                assertThat(call(engine(process, 3), key))
                        .as("%s by the new secret alone", key)
                        .isEqualTo(new Outcome.Succeeded<>("done: " + key, true));
            }
            assertThat(effects.get(key)).as("effects of %s", key).hasValue(1);
        }
    }

    /** Moves every process from this step to the next. */
    private void rollOut(int step) {
        for (int process = 0; process < PROCESSES; process++) {
            List<Semel> inUse = new ArrayList<>();
            for (int other = 0; other < PROCESSES; other++) {
                inUse.add(engine(other, other < process ? step + 1 : step));
                inUse.add(engine(other, other <= process ? step + 1 : step));
            }
            hammer(inUse, new Random(31L * step + process));
        }
    }

    /** All callers use the same new keys, each in its own order, and some existing keys. */
    private void hammer(List<Semel> inUse, Random random) {
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < OLD_KEYS && !keys.isEmpty(); i++) {
            asked.add(keys.get(random.nextInt(keys.size())));
        }
        for (int i = 0; i < NEW_KEYS; i++) {
            asked.add("key-" + keys.size());
            keys.add("key-" + keys.size());
        }
        ConcurrentThreads.run(inUse.size(), caller -> {
            List<String> own = new ArrayList<>(asked);
            Collections.shuffle(own, new Random(random.nextLong()));
            return () -> {
                for (String key : own) {
                    assertThat(call(inUse.get(caller), key).orElseThrow()).isEqualTo("done: " + key);
                }
                return caller;
            };
        });
    }

    private Outcome<String> call(Semel semel, String key) {
        return semel.execute(WORK, WORK.key(tenant, key), run -> {
            effects.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
            return "done: " + key;
        });
    }

    private Semel engine(int process, int step) {
        return engines.get(process).get(step);
    }
}
