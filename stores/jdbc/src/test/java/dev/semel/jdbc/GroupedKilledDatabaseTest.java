// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.key.Secrets;
import dev.semel.testservers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL is killed with SIGKILL and restarted while groups are committed. Every answered row exists once, and there
 * are as many claims as rows.
 */
class GroupedKilledDatabaseTest {
    private static final int CALLERS = 64;
    private static final int KILLS = 3;
    private static final Operation<String> POST =
            Operation.of("post", Codec.text()).waitingUpTo(Duration.ofSeconds(60));

    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger replayed = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();

    @Test
    void rowsAndClaimsAgreeExactly() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                ClaimDatabase database = ClaimDatabase.postgres(server)) {
            TransactionalClaims claims = TransactionalClaims.on(
                    JdbcClaimStore.migrating(database.hastyPool(8)), Secrets.of("0123456789abcdef0123456789abcdef"));
            Effects effects = Effects.in(database);
            try (GroupedClaims<String, String> one = GroupedClaims.on(claims, POST, Effects::addAll);
                    GroupedClaims<String, String> other = GroupedClaims.on(claims, POST, Effects::addAll)) {
                List<CompletableFuture<Void>> chains = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    CompletableFuture<Void> chain = new CompletableFuture<>();
                    chains.add(chain);
                    go(i % 2 == 0 ? one : other, nextKey(), chain);
                }
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitAnswers();
                    server.kill();
                    server.restart();
                }
                awaitAnswers();
                stop.set(true);
                chains.forEach(CompletableFuture::join);
            }
            Map<String, Integer> counts = effects.counts();
            assertThat(violations).isEmpty();
            assertThat(replayed).as("duplicates").hasPositiveValue();
            assertThat(counts.keySet()).containsAll(answered);
            assertThat(counts.values()).allMatch(count -> count == 1);
            assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", counts.size()));
        }
    }

    private void awaitAnswers() {
        int before = answered.size();
        await().atMost(Duration.ofSeconds(60)).until(() -> answered.size() >= before + 1_000);
    }

    /** Two callers share each key, so that duplicates are in flight all the time. */
    private String nextKey() {
        return "key-" + next.getAndIncrement() / 2;
    }

    private void go(GroupedClaims<String, String> group, String key, CompletableFuture<Void> chain) {
        group.submit(POST.key("acme", key), key, key).whenComplete((outcome, failure) -> {
            if (failure != null) {
                violations.put(key, failure.toString());
            } else if (outcome instanceof Outcome.Succeeded<String> done) {
                answered.add(key);
                replayed.addAndGet(done.replayed() ? 1 : 0);
            } else if (outcome instanceof Outcome.Retryable || outcome instanceof Outcome.Mismatch) {
                violations.put(key, outcome.toString());
            }
            if (stop.get()) {
                chain.complete(null);
            } else {
                // A caller without an answer asks again, as a client does.
                go(group, answered.contains(key) ? nextKey() : key, chain);
            }
        });
    }
}
