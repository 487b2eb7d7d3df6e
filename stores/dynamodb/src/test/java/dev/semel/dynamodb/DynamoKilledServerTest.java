// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.Status;
import dev.semel.key.Secrets;
import dev.semel.testservers.DynamoServer;
import dev.semel.testservers.KillsUnderLoad;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** DynamoDB Local is killed with SIGKILL and restarted while clients claim. Nothing is doubled, and nothing is half done. */
@Order(2)
class DynamoKilledServerTest {
    private static final int CLIENTS = 8;
    private static final int KILLS = 2;
    private static final int BETWEEN = 30;
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");

    /** Short, so that claims whose owner lost the server can be taken over within the test. */
    private static final Operation<String> OPERATION =
            Operation.of("crash", Codec.text()).withLease(Duration.ofMillis(500));

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Set<String> paid = ConcurrentHashMap.newKeySet();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    /** Two clients share each key, so that there are duplicates in progress all the time. */
    private String nextKey() {
        return "key-" + next.getAndIncrement() / 2;
    }

    private void note(String key, Outcome<String> outcome) {
        if (outcome instanceof Outcome.Unavailable || outcome instanceof Outcome.Unsettled) {
            failures.incrementAndGet();
        } else if (!(outcome instanceof Outcome.Succeeded || outcome instanceof Outcome.InProgress)) {
            violations.put(key, "unexpected: " + outcome);
        }
    }

    @Test
    void anEngineDoublesNothing() {
        try (DynamoServer server = DynamoServer.start();
                DynamoDbAsyncClient client = DynamoAccess.client(server.endpoint(), 2)) {
            DynamoClaimStore store = DynamoClaimStore.creating(client);
            KillsUnderLoad load = new KillsUnderLoad(server, KILLS);
            try (Semel semel = Semel.on(store)
                    .secrets(SECRETS)
                    .storeTimeout(Duration.ofSeconds(5))
                    .build()) {
                load.run(CLIENTS, () -> ask(semel, nextKey(), load), answers::size, BETWEEN, failures::get);

                assertThat(violations).isEmpty();
                answers.forEach((key, answer) -> assertThat(
                                semel.execute(OPERATION, OPERATION.key("acme", key), run -> "run again"))
                        .as(key)
                        .isEqualTo(new Outcome.Succeeded<>(answer, true)));
            }
        }
    }

    /** Asks until there is an answer, as a client does that was told to try again. */
    private void ask(Semel semel, String key, KillsUnderLoad load) {
        boolean done = false;
        while (!done && !load.stopped()) {
            Outcome<String> outcome = semel.execute(OPERATION, OPERATION.key("acme", key), run -> {
                if (answers.containsKey(key)) {
                    violations.put(key, "ran again after it was answered");
                }
                return UUID.randomUUID().toString();
            });
            note(key, outcome);
            if (outcome instanceof Outcome.Succeeded<String> succeeded) {
                String earlier = answers.putIfAbsent(key, succeeded.value());
                if (earlier != null && !earlier.equals(succeeded.value())) {
                    violations.put(key, "got two different answers: %s, then %s".formatted(earlier, outcome));
                }
                done = true;
            }
        }
    }

    /**
     * A transaction that DynamoDB Local acknowledged just before it is killed can be lost as a whole, which is so without Semel too.
     * Then its key is free, and runs again. So only the agreement of claims and effects is checked here.
     */
    @Test
    void itemsAndClaimsAgreeExactly() {
        try (DynamoServer server = DynamoServer.start();
                DynamoDbAsyncClient client = DynamoAccess.client(server.endpoint(), 2)) {
            DynamoClaimStore store = DynamoClaimStore.creating(client);
            Accounts accounts = Accounts.creating(client, "accounts");
            DynamoTransactions transactions = DynamoTransactions.on(store, SECRETS);
            KillsUnderLoad load = new KillsUnderLoad(server, KILLS);
            Set<String> tried = ConcurrentHashMap.newKeySet();
            load.run(
                    CLIENTS,
                    () -> {
                        String key = nextKey();
                        tried.add(key);
                        pay(transactions, accounts, key, load);
                    },
                    paid::size,
                    BETWEEN,
                    failures::get);

            assertThat(violations).isEmpty();
            int claims = 0;
            for (String key : tried) {
                long effects = accounts.balance(key);
                boolean claimed = store.find(transactions.refOf(OPERATION, OPERATION.key("acme", key)))
                        .filter(claim -> claim.status() == Status.SUCCEEDED)
                        .isPresent();
                assertThat(effects).as("effects of %s", key).isEqualTo(claimed ? 1 : 0);
                claims += claimed ? 1 : 0;
            }
            assertThat(claims).isGreaterThanOrEqualTo(KILLS * BETWEEN);
        }
    }

    private void pay(DynamoTransactions transactions, Accounts accounts, String key, KillsUnderLoad load) {
        boolean done = false;
        while (!done && !load.stopped()) {
            Outcome<String> outcome = transactions.execute(
                    OPERATION,
                    OPERATION.key("acme", key),
                    TransactionItems.of(UUID.randomUUID().toString(), accounts.adding(key, 1)));
            done = outcome instanceof Outcome.Succeeded<String>;
            note(key, outcome);
        }
        paid.add(key);
    }
}
