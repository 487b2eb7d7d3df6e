// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.spi.Alias;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testservers.MySqlCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Callers of the same keys on three primaries of a group. Locks end at their node, so the nodes find conflicts only when they
 * commit. Each key has one owner, and nobody else is told that the database did not answer.
 */
@Tag("cluster")
class ClusterConflictsTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> PAY = Operation.of("pay", Codec.text());
    private static final int KEYS = 40;
    private static final int ROUNDS = 5;

    private ClusterDatabase database;
    private JdbcClaimStore[] stores;

    @BeforeEach
    void open() {
        database = ClusterDatabase.of(MySqlCluster.shared(MySqlCluster.Mode.SEVERAL_PRIMARIES));
        stores = database.stores(4);
        assertThat(stores).hasSize(MySqlCluster.NODES);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void batchesOfTheSameKeysHaveOneOwnerForEachKey() {
        for (int round = 0; round < ROUNDS; round++) {
            int number = round;
            List<List<Verdict>> answers = Callers.together(
                    stores.length,
                    node -> stores[node].apply(IntStream.range(0, KEYS)
                            .mapToObj(key -> insert(digest(number, key)))
                            .toList()));

            for (int key = 0; key < KEYS; key++) {
                int asked = key;
                assertThat(answers.stream().map(node -> node.get(asked)))
                        .as("round %d, key %d", round, key)
                        .noneMatch(verdict -> verdict instanceof Verdict.Errored)
                        .filteredOn(verdict -> verdict instanceof Verdict.Applied)
                        .hasSize(1);
            }
        }
    }

    @Test
    void insertsWithAliasesHaveOneOwner() {
        for (int round = 0; round < ROUNDS * 4; round++) {
            int number = round;
            List<Verdict> answers = Callers.together(
                    stores.length,
                    node -> stores[node]
                            // Each names the other digests as aliases, in another order.
                            .apply(List.of(aliased(number, node)))
                            .get(0));

            assertThat(answers)
                    .as("round %d", round)
                    .noneMatch(verdict -> verdict instanceof Verdict.Errored)
                    .filteredOn(verdict -> verdict instanceof Verdict.Applied)
                    .hasSize(1);
        }
    }

    @Test
    void transactionsCommitTheirEffectOnce() {
        Effects effects = database.effects();
        TransactionalClaims[] claims = claims();

        List<List<Outcome<String>>> answers = Callers.together(
                3 * claims.length, caller -> outcomes(key -> paid(claims[caller % claims.length], key)));

        eachSucceededOrWasInProgress(answers);
        assertThat(effects.counts()).isEqualTo(onceEach());
    }

    @Test
    void groupsCommitTheirRowsOnce() {
        Effects effects = database.effects();
        List<GroupedClaims<String, String>> groups = new ArrayList<>();
        for (TransactionalClaims claims : claims()) {
            groups.add(database.claims().closing(GroupedClaims.on(claims, PAY, Effects::addAll)));
        }

        List<List<Outcome<String>>> answers = Callers.together(groups.size(), node -> {
            List<CompletableFuture<Outcome<String>>> submitted = IntStream.range(0, KEYS)
                    .mapToObj(key -> groups.get(node)
                            .submit(PAY.key("acme", name(key)), name(key), name(key))
                            .toCompletableFuture())
                    .toList();
            return submitted.stream().map(CompletableFuture::join).toList();
        });

        eachSucceededOrWasInProgress(answers);
        assertThat(effects.counts()).isEqualTo(onceEach());
    }

    /** Known defect: a transaction that another member's commit has ended can be reported as ended by its work. */
    private static Outcome<String> paid(TransactionalClaims claims, String key) {
        while (true) {
            try {
                return claims.inTransaction(PAY, PAY.key("acme", key), (connection, run) -> {
                    Effects.add(connection, key);
                    return key;
                });
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("no longer in its transaction");
            }
        }
    }

    private TransactionalClaims[] claims() {
        return IntStream.range(0, stores.length)
                .mapToObj(node -> TransactionalClaims.on(stores[node], SECRETS))
                .toArray(TransactionalClaims[]::new);
    }

    private static List<Outcome<String>> outcomes(Function<String, Outcome<String>> call) {
        return IntStream.range(0, KEYS).mapToObj(key -> call.apply(name(key))).toList();
    }

    private static String name(int key) {
        return "key-" + key;
    }

    private static Map<String, Integer> onceEach() {
        return IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(ClusterConflictsTest::name, key -> 1));
    }

    private static void eachSucceededOrWasInProgress(List<List<Outcome<String>>> answers) {
        for (List<Outcome<String>> caller : answers) {
            for (int key = 0; key < KEYS; key++) {
                if (caller.get(key) instanceof Outcome.Succeeded<String> done) {
                    assertThat(done.value()).isEqualTo(name(key));
                } else {
                    assertThat(caller.get(key)).isInstanceOf(Outcome.InProgress.class);
                }
            }
        }
    }

    private static Command.Insert insert(Digest digest) {
        return new Command.Insert(
                new ClaimRef("acme", digest),
                "pay",
                "secret",
                OwnerToken.random(),
                RecordId.random(),
                Fingerprint.NONE,
                Terms.DEFAULT);
    }

    private static Command.Insert aliased(int round, int node) {
        List<ClaimRef> refs = IntStream.range(0, MySqlCluster.NODES)
                .mapToObj(i -> new ClaimRef("acme", digest(100 + round, (node + i) % MySqlCluster.NODES)))
                .toList();
        return new Command.Insert(
                refs.get(0),
                "pay",
                "secret",
                OwnerToken.random(),
                RecordId.random(),
                Fingerprint.NONE,
                Terms.DEFAULT,
                refs.stream()
                        .skip(1)
                        .map(ref -> new Alias(ref, "secret", OwnerToken.random()))
                        .toList());
    }

    private static Digest digest(int round, int key) {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[0] = (byte) key;
        bytes[1] = (byte) round;
        return new Digest(bytes);
    }
}
