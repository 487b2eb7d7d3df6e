// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static dev.semel.jdbc.ClaimingProcess.OPERATION;
import static dev.semel.jdbc.ClaimingProcess.SECRET;
import static dev.semel.jdbc.ClaimingProcess.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Row 1 of docs/failures.md: a process that owns claims is killed with SIGKILL. Acknowledged work exists and does
 * not run again. Unfinished work is taken over with the same child key, so a downstream service that honours the key
 * sees each effect once.
 */
class KilledOwnerTest {
    private static final int ENOUGH = 300;
    private static final Duration LEASE = Duration.ofMinutes(5);

    @ParameterizedTest
    @EachDatabase
    void row01_nothingAcknowledgedIsLostAndNothingIsDoubled(DatabaseKind kind, @TempDir Path folder) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.of(kind, folder.resolve("claims.db"))) {
            String effects = kind == DatabaseKind.SQLITE
                    ? "jdbc:sqlite:" + folder.resolve("effects.db") + "?journal_mode=WAL&busy_timeout=10000"
                    : database.url();
            killAndTakeOver(database.store(4), database, effects);
        }
    }

    private static void killAndTakeOver(JdbcClaimStore store, ClaimDatabase database, String effectsUrl)
            throws Exception {
        try (Connection effects = DriverManager.getConnection(effectsUrl, database.user(), database.password());
                Statement statement = effects.createStatement()) {
            statement.execute("CREATE TABLE effects (name VARCHAR(50), child_key VARCHAR(50), attempt INTEGER)");
            String claimsUrl = database.url().replaceAll("\\?busy_timeout.*", "");
            Set<String> acknowledged = acknowledgedUntilKilled(claimsUrl, database, effectsUrl);
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);

            Set<String> ranAgain = new HashSet<>();
            int interrupted = 0;
            try (Semel semel =
                    Semel.on(store).secrets(Secrets.of(SECRET)).withoutSweep().build()) {
                int beyond = acknowledged.size() + 20;
                for (int i = 0; i < beyond; i++) {
                    String key = "key-" + i;
                    if (acknowledged.contains(key)) {
                        assertThat(semel.execute(OPERATION, OPERATION.key(TENANT, key), run -> ranAgain.add(key) + ""))
                                .isEqualTo(new Outcome.Succeeded<>("done " + key, true));
                        continue;
                    }
                    database.age(semel.refOf(OPERATION.key(TENANT, key)), LEASE);
                    Outcome<String> outcome = semel.execute(OPERATION, OPERATION.key(TENANT, key), run -> {
                        ClaimingProcess.effect(effects, key, run.childKey("effect"), run.attempt());
                        return "done " + key;
                    });
                    assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Succeeded.class,
                                    done -> assertThat(done.value()).isEqualTo("done " + key));
                    interrupted++;
                }
            }

            assertThat(ranAgain).as("acknowledged keys that ran again").isEmpty();
            assertThat(interrupted).isPositive();
            Map<String, Set<String>> childKeys = new HashMap<>();
            Map<String, Integer> effectsOf = new HashMap<>();
            try (ResultSet rows = statement.executeQuery("SELECT name, child_key FROM effects")) {
                while (rows.next()) {
                    childKeys
                            .computeIfAbsent(rows.getString(1), key -> new HashSet<>())
                            .add(rows.getString(2));
                    effectsOf.merge(rows.getString(1), 1, Integer::sum);
                }
            }
            assertThat(childKeys)
                    .allSatisfy((key, keys) -> assertThat(keys)
                            .as("child keys of all attempts of " + key)
                            .hasSize(1));
            assertThat(acknowledged)
                    .allSatisfy(key -> assertThat(effectsOf.get(key))
                            .as("effects of " + key)
                            .isEqualTo(1));
        }
    }

    private static Set<String> acknowledgedUntilKilled(String claimsUrl, ClaimDatabase database, String effectsUrl)
            throws IOException, InterruptedException {
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path").replace('/', File.separatorChar),
                        ClaimingProcess.class.getName(),
                        claimsUrl,
                        database.user(),
                        database.password(),
                        effectsUrl)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Set<String> acknowledged = new HashSet<>();
        try (BufferedReader lines = owner.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("DONE ")) {
                    acknowledged.add(line.substring("DONE ".length()));
                }
                if (acknowledged.size() == ENOUGH) {
                    owner.toHandle().destroyForcibly();
                }
            }
        } finally {
            owner.destroyForcibly().waitFor();
        }
        return acknowledged;
    }
}
