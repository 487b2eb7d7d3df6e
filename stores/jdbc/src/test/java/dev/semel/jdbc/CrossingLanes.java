// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Scanner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Two lanes that send batches over the same keys, in opposite orders. Can run as a process. */
final class CrossingLanes {
    static final String TENANT = "acme";
    static final int KEYS = 200;
    private static final int BATCHES = 60;

    private CrossingLanes() {}

    /**
     * Arguments: JDBC URL, user, password. Reports that it is ready, waits for a line, reports that it has started,
     * waits again, and reports how many claims it settled.
     */
    public static void main(String[] arguments) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[0]);
        config.setUsername(arguments[1]);
        config.setPassword(arguments[2]);
        config.setMaximumPoolSize(4);
        try (HikariDataSource pool = new HikariDataSource(config);
                Scanner words = new Scanner(System.in, StandardCharsets.UTF_8)) {
            JdbcClaimStore store = JdbcClaimStore.on(pool);
            // A process that has just started would be too late to meet the other one.
            run(store, "warming up", 100, () -> {});
            System.out.println("READY");
            words.nextLine();
            int settled = run(store, TENANT, 100, () -> {
                System.out.println("BEGUN");
                words.nextLine();
            });
            System.out.println("SETTLED " + settled);
        }
    }

    /**
     * Returns how many claims the two lanes settled. They wait for the other process after their first batches: on a
     * busy machine one process could finish before the other has started.
     */
    static int run(JdbcClaimStore store, String tenant, int seed, Runnable meeting) throws Exception {
        Map<ClaimRef, OwnerToken> owners = new ConcurrentHashMap<>();
        CyclicBarrier begun = new CyclicBarrier(2, meeting);
        ExecutorService lanes = Executors.newFixedThreadPool(2);
        try {
            List<Future<Integer>> settled = new ArrayList<>();
            for (int lane = 0; lane < 2; lane++) {
                boolean reversed = lane == 0;
                Random random = new Random(seed + lane);
                settled.add(lanes.submit(() -> lane(store, tenant, reversed, random, owners, begun)));
            }
            int sum = 0;
            for (Future<Integer> lane : settled) {
                sum += lane.get(120, TimeUnit.SECONDS);
            }
            return sum;
        } finally {
            lanes.shutdownNow();
        }
    }

    /** Claims and settles its own claims in the same batches. Returns how many it settled. */
    private static Integer lane(
            JdbcClaimStore store,
            String tenant,
            boolean reversed,
            Random random,
            Map<ClaimRef, OwnerToken> owners,
            CyclicBarrier begun)
            throws Exception {
        Map<ClaimRef, OwnerToken> mine = new HashMap<>();
        int settled = 0;
        for (int round = 0; round < BATCHES || !mine.isEmpty(); round++) {
            List<Command> batch = batch(tenant, reversed, random, mine);
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
            if (round == 0) {
                begun.await(120, TimeUnit.SECONDS);
            }
        }
        return settled;
    }

    private static List<Command> batch(String tenant, boolean reversed, Random random, Map<ClaimRef, OwnerToken> mine) {
        List<Command> batch = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            ClaimRef ref = ref(tenant, i);
            OwnerToken token = mine.get(ref);
            if (token != null && random.nextBoolean()) {
                batch.add(new Command.Settle(ref, token, Status.SUCCEEDED, result(), null));
            } else if (token == null && random.nextInt(10) == 0) {
                batch.add(insert(ref, "scope"));
            }
        }
        if (random.nextInt(4) == 0) {
            batch.add(insert(ref(tenant, KEYS + random.nextInt(1_000)), "poison"));
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

    static ClaimRef ref(String tenant, int number) {
        return new ClaimRef(
                tenant,
                new Digest(ByteBuffer.allocate(Digest.LENGTH)
                        .putInt(number)
                        .putInt(tenant.hashCode())
                        .array()));
    }
}
