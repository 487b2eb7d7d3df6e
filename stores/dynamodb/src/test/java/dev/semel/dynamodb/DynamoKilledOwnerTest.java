// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoClaimingProcess.DONE;
import static dev.semel.dynamodb.DynamoClaimingProcess.EFFECT;
import static dev.semel.dynamodb.DynamoClaimingProcess.HELD;
import static dev.semel.dynamodb.DynamoClaimingProcess.OPERATION;
import static dev.semel.dynamodb.DynamoClaimingProcess.SECRET;
import static dev.semel.dynamodb.DynamoClaimingProcess.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.testservers.DynamoServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Row 1 of docs/failures.md: a process that owns claims is killed with SIGKILL. Acknowledged work exists and does not run again.
 * Unfinished work is taken over with the same child key, so a downstream service that honours the key sees each effect once.
 */
class DynamoKilledOwnerTest {
    private static final int ENOUGH = 150;
    private static final int BEYOND = 20;
    private static final Duration LEASE_AND_MARGIN = Duration.ofMinutes(6);

    private final Set<String> acknowledged = new HashSet<>();
    private final Map<String, List<String>> effects = new HashMap<>();

    private List<String> keys() {
        List<String> keys = new ArrayList<>(List.of(HELD));
        for (int i = 0; i < acknowledged.size() + BEYOND; i++) {
            keys.add("key-" + i);
        }
        return keys;
    }

    private void effect(String key, String childKey) {
        effects.computeIfAbsent(key, any -> new ArrayList<>()).add(childKey);
    }

    @Test
    void row01_nothingAcknowledgedIsLostAndNothingIsDoubled() throws Exception {
        try (DynamoDbAsyncClient client = DynamoAccess.client()) {
            DynamoClaimStore store = DynamoClaimStore.creating(client, TABLE);
            runUntilKilled();
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);

            Set<String> ranAgain = new HashSet<>();
            try (Semel semel =
                    Semel.on(store).secrets(Secrets.of(SECRET)).withoutSweep().build()) {
                for (String key : keys()) {
                    ClaimKey claim = OPERATION.key("acme", key);
                    boolean done = acknowledged.contains(key);
                    if (!done) {
                        DynamoAccess.age(client, TABLE, semel.refOf(claim), LEASE_AND_MARGIN);
                    }
                    Outcome<String> outcome = semel.execute(OPERATION, claim, run -> {
                        if (done) {
                            ranAgain.add(key);
                        }
                        effect(key, run.childKey("effect"));
                        return "done " + key;
                    });
                    assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Succeeded.class,
                                    found -> assertThat(found.value()).isEqualTo("done " + key));
                }
            }

            assertThat(ranAgain).as("acknowledged keys that ran again").isEmpty();
            assertThat(effects.get(HELD)).as("effects of work that did not end").hasSize(2);
            assertThat(effects)
                    .allSatisfy((key, childKeys) -> assertThat(childKeys)
                            .as("child keys of all attempts of " + key)
                            .containsOnly(childKeys.get(0)));
            assertThat(acknowledged)
                    .allSatisfy(key ->
                            assertThat(effects.get(key)).as("effects of " + key).hasSize(1));
        }
    }

    private void runUntilKilled() throws IOException, InterruptedException {
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        DynamoClaimingProcess.class.getName(),
                        DynamoServer.shared().endpoint().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines = owner.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(EFFECT)) {
                    String[] parts = line.substring(EFFECT.length()).split(" ", 2);
                    effect(parts[0], parts[1]);
                } else if (line.startsWith(DONE)) {
                    acknowledged.add(line.substring(DONE.length()));
                }
                if (acknowledged.size() >= ENOUGH && effects.containsKey(HELD)) {
                    owner.toHandle().destroyForcibly();
                }
            }
        } finally {
            owner.destroyForcibly().waitFor();
        }
    }
}
