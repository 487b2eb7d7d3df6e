// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.KillsUnderLoad;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The database is killed with SIGKILL and restarted while clients have effects in transactions. Every answered key has
 * exactly one effect, and there are as many claims as effects.
 */
@Order(2)
class TransactionalKilledDatabaseTest {
    private static final int CLIENTS = 8;
    private static final int KILLS = 3;
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());

    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger unavailable = new AtomicInteger();

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void effectsAndClaimsAgreeExactly(DatabaseKind kind) throws Exception {
        try (DatabaseServer server = kind.startServer();
                ClaimDatabase database = ClaimDatabase.on(server)) {
            killUnderLoad(server, database);
        }
    }

    private void killUnderLoad(DatabaseServer server, ClaimDatabase database) throws Exception {
        JdbcClaimStore store = JdbcClaimStore.migrating(database.hastyPool(CLIENTS));
        Effects effects = Effects.in(database);
        TransactionalClaims claims = TransactionalClaims.on(store, Secrets.of("0123456789abcdef0123456789abcdef"));
        KillsUnderLoad load = new KillsUnderLoad(server, KILLS);
        load.run(CLIENTS, () -> pay(claims, load), answered::size, 200, unavailable::get);

        Map<String, Integer> counts = effects.counts();
        assertThat(violations).isEmpty();
        assertThat(counts.keySet()).containsAll(answered);
        assertThat(counts.values()).allMatch(count -> count == 1);
        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", counts.size()));
    }

    /** Two clients share each key, so that there are duplicates in progress all the time. */
    private void pay(TransactionalClaims claims, KillsUnderLoad load) {
        String key = "key-" + next.getAndIncrement() / 2;
        boolean done = false;
        while (!done && !load.stopped()) {
            Outcome<String> outcome = claims.inTransaction(PAY, PAY.key("acme", key), (connection, run) -> {
                Effects.add(connection, key);
                return key;
            });
            done = outcome instanceof Outcome.Succeeded<String>;
            note(key, outcome);
        }
    }

    private void note(String key, Outcome<String> outcome) {
        if (outcome instanceof Outcome.Succeeded<String>) {
            answered.add(key);
        } else if (outcome instanceof Outcome.Unavailable || outcome instanceof Outcome.Unsettled) {
            unavailable.incrementAndGet();
        } else if (!(outcome instanceof Outcome.InProgress)) {
            violations.put(key, "unexpected: " + outcome);
        }
    }
}
