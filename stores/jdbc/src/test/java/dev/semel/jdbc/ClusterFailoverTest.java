// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.testservers.MySqlCluster;
import dev.semel.testservers.MySqlCluster.Mode;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A primary is killed, separated from the others, or replaced by an administrator, while callers claim by way of a URL with all
 * nodes. All answers for a key are equal, no key runs again after it was answered, and callers are served soon after the group
 * accepts writes again.
 */
@Tag("cluster")
class ClusterFailoverTest {
    private static final int CALLERS = 6;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** How much later than the group Semel may be. HikariCP pauses for up to 5 s after a connection has failed, and each may fail. */
    private static final Duration SOON = Duration.ofSeconds(40);

    /** Short, so that claims whose owner lost the database can be taken over within the test. */
    private static final Operation<String> OPERATION =
            Operation.of("crash", Codec.text()).withLease(Duration.ofSeconds(2));

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @ParameterizedTest
    @CsvSource({
        "ONE_PRIMARY, switch, loadbalance",
        "ONE_PRIMARY, kill, loadbalance",
        "ONE_PRIMARY, separate, loadbalance",
        "SEVERAL_PRIMARIES, kill, sequential",
        "SEVERAL_PRIMARIES, separate, sequential"
    })
    void nothingAcknowledgedIsLostAndNothingIsDoubled(Mode mode, String fault, String choice) throws Exception {
        try (MySqlCluster cluster = MySqlCluster.start(mode);
                ClusterDatabase database = ClusterDatabase.of(cluster);
                HikariDataSource pool = pool(cluster, database, choice);
                Semel semel = Semel.on(JdbcClaimStore.on(pool))
                        .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                        .storeTimeout(Duration.ofSeconds(2))
                        .build()) {
            int primary = database.writable()[0];
            ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
            for (int i = 0; i < CALLERS; i++) {
                callers.execute(() -> askUntilStopped(semel));
            }
            awaitAnswers(100);

            long begin = System.nanoTime();
            switch (fault) {
                case "kill" -> cluster.kill(primary);
                case "separate" -> cluster.separate(primary);
                default -> cluster.switchTo((primary + 1) % MySqlCluster.NODES);
            }
            await().atMost(LIMIT)
                    .until(() -> cluster.writable().stream().anyMatch(node -> node != primary)
                            && !cluster.writable().contains(primary));
            long group = System.nanoTime();
            int known = answers.size();
            await().atMost(SOON).until(() -> answers.size() > known);
            System.out.printf(
                    "%s, %s: another primary after %.1f s, the next answer after %.1f s%n",
                    mode, fault, (group - begin) / 1e9, (System.nanoTime() - begin) / 1e9);
            awaitAnswers(100);
            if (fault.equals("kill")) {
                cluster.restart(primary);
            }
            cluster.heal();
            awaitAnswers(100);
            stopped.set(true);
            callers.shutdown();
            assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

            assertThat(violations).isEmpty();
            answers.forEach((key, answer) -> assertThat(
                            semel.execute(OPERATION, OPERATION.key("acme", key), run -> "run again"))
                    .as(key)
                    .isEqualTo(new Outcome.Succeeded<>(answer, true)));
        }
    }

    /** As docs/databases.md tells: the first statement of a connection fails on a node that accepts no writes. */
    private static HikariDataSource pool(MySqlCluster cluster, ClusterDatabase database, String choice) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(cluster.url(choice, database.name()) + "?connectTimeout=2000&socketTimeout=10000");
        config.setUsername(cluster.user());
        config.setPassword(cluster.password());
        config.setMaximumPoolSize(CALLERS);
        config.setConnectionTimeout(2_000);
        config.setConnectionInitSql("DELETE FROM semel_jobs WHERE FALSE");
        return new HikariDataSource(config);
    }

    private void awaitAnswers(int more) {
        int before = answers.size();
        await().atMost(LIMIT).until(() -> answers.size() >= before + more);
    }

    private void askUntilStopped(Semel semel) {
        while (!stopped.get()) {
            // Two callers share each key, so that there are duplicates in progress all the time.
            ask(semel, "key-" + next.getAndIncrement() / 2);
        }
    }

    /** Asks until there is an answer, as a client does that was told to try again. */
    private void ask(Semel semel, String key) {
        while (!stopped.get()) {
            Outcome<String> outcome = semel.execute(OPERATION, OPERATION.key("acme", key), run -> {
                if (answers.containsKey(key)) {
                    violations.put(key, "ran again after it was answered");
                }
                return UUID.randomUUID().toString();
            });
            if (outcome instanceof Outcome.Succeeded<String> done) {
                String earlier = answers.putIfAbsent(key, done.value());
                if (earlier != null && !earlier.equals(done.value())) {
                    violations.put(key, "got two different answers");
                }
                return;
            }
            if (!(outcome instanceof Outcome.Unavailable
                    || outcome instanceof Outcome.Unsettled
                    || outcome instanceof Outcome.InProgress)) {
                violations.put(key, "unexpected: " + outcome);
            }
        }
    }
}
