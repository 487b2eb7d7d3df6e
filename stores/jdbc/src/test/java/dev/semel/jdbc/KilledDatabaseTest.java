// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.KillsUnderLoad;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The database is killed with SIGKILL and restarted while clients claim, settle and retry. All answers for a key are
 * equal, and no key runs again after it was answered.
 */
@Order(2)
class KilledDatabaseTest {
    private static final int CLIENTS = 8;
    private static final int KILLS = 3;

    /** Short, so that claims whose owner lost the database can be taken over within the test. */
    private static final Operation<String> OPERATION =
            Operation.of("crash", Codec.text()).withLease(Duration.ofMillis(500));

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger unavailable = new AtomicInteger();

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void nothingAcknowledgedIsLostAndNothingIsDoubled(DatabaseKind kind) throws Exception {
        try (DatabaseServer server = kind.startServer();
                ClaimDatabase database = ClaimDatabase.on(server)) {
            killUnderLoad(server, database);
        }
    }

    private void killUnderLoad(DatabaseServer server, ClaimDatabase database) {
        JdbcClaimStore store = JdbcClaimStore.migrating(database.hastyPool(CLIENTS));
        KillsUnderLoad load = new KillsUnderLoad(server, KILLS);
        try (Semel semel = Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .storeTimeout(Duration.ofSeconds(1))
                .build()) {
            load.run(CLIENTS, () -> ask(semel, nextKey(), load), answers::size, 200, unavailable::get);

            assertThat(violations).isEmpty();
            answers.forEach((key, answer) -> assertThat(
                            semel.execute(OPERATION, OPERATION.key("acme", key), run -> "run again"))
                    .as(key)
                    .isEqualTo(new Outcome.Succeeded<>(answer, true)));
        }
    }

    /** Two clients share each key, so that there are duplicates in progress all the time. */
    private String nextKey() {
        return "key-" + next.getAndIncrement() / 2;
    }

    /** Asks until there is an answer, as a client does that was told to try again. */
    private void ask(Semel semel, String key, KillsUnderLoad load) {
        while (!load.stopped()) {
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
            if (outcome instanceof Outcome.Unavailable || outcome instanceof Outcome.Unsettled) {
                unavailable.incrementAndGet();
            } else if (!(outcome instanceof Outcome.InProgress)) {
                violations.put(key, "unexpected: " + outcome);
            }
        }
    }
}
