// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Row 13: two lanes in each of two processes send batches over the same keys, in opposite orders, with inserts,
 * settlements and bad entries. Every command of a batch is answered, and every key is settled once, by one owner.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrossingBatchesTest {
    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void row13(DatabaseKind kind) throws Exception {
        crossing(ClaimDatabase.on(kind.sharedServer()));
    }

    private static void crossing(ClaimDatabase database) throws Exception {
        try (database) {
            JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(4));
            database.execute("ALTER TABLE idempotency_keys ADD CHECK (scope <> 'poison')");
            Process other = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            CrossingLanes.class.getName(),
                            database.url(),
                            database.user(),
                            database.password())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader said = other.inputReader(StandardCharsets.UTF_8)) {
                await(said, "READY");
                tell(other, "begin");
                int here = CrossingLanes.run(store, CrossingLanes.TENANT, 0, () -> {
                    await(said, "BEGUN");
                    tell(other, "continue");
                });
                int there = Integer.parseInt(await(said, "SETTLED ").substring("SETTLED ".length()));

                assertThat(here).as("settled here").isPositive();
                assertThat(there).as("settled in the other process").isPositive();
                assertThat(here + there).as("settled, each once").isEqualTo(CrossingLanes.KEYS);
            } finally {
                other.destroyForcibly().waitFor();
            }
            List<ClaimRef> all = IntStream.range(0, CrossingLanes.KEYS)
                    .mapToObj(number -> CrossingLanes.ref(CrossingLanes.TENANT, number))
                    .toList();
            assertThat(store.read(all).values())
                    .hasSize(CrossingLanes.KEYS)
                    .allSatisfy(claim -> assertThat(claim.status()).isEqualTo(Status.SUCCEEDED));
        }
    }

    private static void tell(Process other, String word) {
        try {
            other.outputWriter(StandardCharsets.UTF_8).append(word).append('\n').flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Skips lines of loggers. */
    private static String await(BufferedReader said, String word) {
        try {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.startsWith(word)) {
                    return line;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("The other process ended without the line " + word);
    }
}
