// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Command;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.claim.Verdict;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Row 13: four lanes of two processes send batches over the same keys, in opposite orders, inserts and settlements mixed,
 * with bad entries among them. Every batch gets all its answers, no key has two owners at a time, and none is lost.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrossingBatchesTest {
    private static final int KEYS = 60;
    private static final int BATCHES = 60;

    @Test
    void row13_onPostgres() throws Exception {
        crossing(TestDatabase.postgres(PostgresServer.shared()));
    }

    @Test
    void row13_onMariaDb() throws Exception {
        crossing(TestDatabase.mariadb(MariaDbServer.shared()));
    }

    private static void crossing(TestDatabase database) throws Exception {
        try (database) {
            JdbcClaimStore one = JdbcClaimStore.migrating(database.pool(4));
            JdbcClaimStore other = JdbcClaimStore.on(database.pool(4));
            database.execute("ALTER TABLE idempotency_keys ADD CHECK (scope <> 'poison')");
            Map<ClaimRef, OwnerToken> owners = new ConcurrentHashMap<>();
            ExecutorService lanes = Executors.newFixedThreadPool(4);
            try {
                List<Future<Integer>> settled = new ArrayList<>();
                for (int lane = 0; lane < 4; lane++) {
                    JdbcClaimStore store = lane % 2 == 0 ? one : other;
                    boolean reversed = lane < 2;
                    Random random = new Random(lane);
                    settled.add(lanes.submit(() -> lane(store, reversed, random, owners)));
                }
                int sum = 0;
                for (Future<Integer> lane : settled) {
                    sum += lane.get(120, TimeUnit.SECONDS);
                }
                assertThat(sum).as("settled, each once").isEqualTo(KEYS);
            } finally {
                lanes.shutdownNow();
            }
            List<ClaimRef> all = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                all.add(ref(i));
            }
            assertThat(one.read(all).values())
                    .hasSize(KEYS)
                    .allSatisfy(claim -> assertThat(claim.status()).isEqualTo(Status.SUCCEEDED));
        }
    }

    /** Claims what it can and settles what it owns, together; says how many it settled. */
    private static Integer lane(
            JdbcClaimStore store, boolean reversed, Random random, Map<ClaimRef, OwnerToken> owners) {
        Map<ClaimRef, OwnerToken> mine = new HashMap<>();
        int settled = 0;
        for (int round = 0; round < BATCHES || !mine.isEmpty(); round++) {
            List<Command> batch = batch(reversed, random, mine);
            List<Verdict> verdicts = store.apply(batch);
            assertThat(verdicts).hasSameSizeAs(batch);
            for (int i = 0; i < batch.size(); i++) {
                Command command = batch.get(i);
                Verdict verdict = verdicts.get(i);
                if (command instanceof Command.Insert insert && insert.scope().equals("poison")) {
                    assertThat(verdict).isInstanceOf(Verdict.Errored.class);
                } else if (command instanceof Command.Settle && verdict instanceof Verdict.Applied) {
                    assertThat(owners.remove(command.ref(), command.token())).isTrue();
                    mine.remove(command.ref());
                    settled++;
                } else if (command instanceof Command.Insert && verdict instanceof Verdict.Applied) {
                    assertThat(owners.putIfAbsent(command.ref(), command.token()))
                            .as("one owner")
                            .isNull();
                    mine.put(command.ref(), command.token());
                } else {
                    assertThat(verdict).isNotInstanceOf(Verdict.Errored.class);
                }
            }
        }
        return settled;
    }

    private static List<Command> batch(boolean reversed, Random random, Map<ClaimRef, OwnerToken> mine) {
        List<Command> batch = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            ClaimRef ref = ref(i);
            OwnerToken token = mine.get(ref);
            if (token != null && random.nextBoolean()) {
                batch.add(new Command.Settle(ref, token, Status.SUCCEEDED, result(), null));
            } else if (token == null && random.nextInt(3) == 0) {
                batch.add(insert(ref, "scope"));
            }
        }
        if (random.nextInt(4) == 0) {
            batch.add(insert(ref(KEYS + random.nextInt(1_000)), "poison"));
        }
        if (reversed) {
            Collections.reverse(batch);
        }
        return batch;
    }

    private static Command insert(ClaimRef ref, String scope) {
        return new Command.Insert(
                ref, scope, "secret", OwnerToken.random(), RecordId.random(), Fingerprint.NONE, Terms.DEFAULT);
    }

    private static StoredResult result() {
        return new StoredResult("text/plain", "done".getBytes(StandardCharsets.UTF_8));
    }

    private static ClaimRef ref(int number) {
        return new ClaimRef(
                "acme",
                new Digest(ByteBuffer.allocate(Digest.LENGTH).putInt(number).array()));
    }
}
