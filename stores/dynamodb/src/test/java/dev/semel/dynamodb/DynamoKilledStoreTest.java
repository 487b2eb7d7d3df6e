// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DynamoServer;
import dev.semel.testservers.KillsUnderLoad;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * DynamoDB Local is killed with SIGKILL and restarted while clients insert and settle. It keeps what it has acknowledged, and every
 * command whose effect is unknown is recognized when it is sent again. Single writes only.
 */
@Order(2)
class DynamoKilledStoreTest {
    private static final int CLIENTS = 6;
    private static final int KILLS = 3;

    private final Map<ClaimRef, StoredResult> settled = new ConcurrentHashMap<>();
    private final Map<ClaimRef, String> violations = new ConcurrentHashMap<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicInteger sizes = new AtomicInteger();

    @Test
    void nothingAcknowledgedIsLostAndNoCommandIsStrangeToItself() {
        try (DynamoServer server = DynamoServer.start();
                DynamoDbAsyncClient client = DynamoAccess.client(server.endpoint(), 1)) {
            DynamoClaimStore store = DynamoClaimStore.creating(client);
            KillsUnderLoad load = new KillsUnderLoad(server, KILLS);

            load.run(CLIENTS, () -> claim(store, load), settled::size, 40, unanswered::get);

            assertThat(violations).isEmpty();
            settled.forEach((ref, result) -> {
                Snapshot kept = store.read(List.of(ref)).get(ref);
                assertThat(kept).as("a settled claim").isNotNull();
                assertThat(kept.status()).isEqualTo(Status.SUCCEEDED);
                assertThat(kept.result()).isEqualTo(result);
            });
        }
    }

    /** Every fifth claim has a result in chunks. None has an alias: Local can lose a transaction that it has acknowledged. */
    private void claim(DynamoClaimStore store, KillsUnderLoad load) {
        int number = sizes.getAndIncrement();
        Command.Insert insert = Commands.insert(newRef());
        StoredResult result = result(number % 5 == 0 ? DynamoChunks.INLINE + number : number);
        Command.Settle settle = new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, result, null);
        if (isApplied(store, insert, load) && isApplied(store, settle, load)) {
            settled.put(insert.ref(), result);
        }
    }

    /** Sends a command until it is answered. */
    private boolean isApplied(DynamoClaimStore store, Command command, KillsUnderLoad load) {
        while (!load.stopped()) {
            Verdict verdict = verdict(store, command);
            if (verdict instanceof Verdict.Applied) {
                return true;
            }
            if (verdict instanceof Verdict.Refused) {
                violations.put(command.ref(), "refused, although nobody else has sent anything: " + command);
                return false;
            }
            unanswered.incrementAndGet();
        }
        return false;
    }

    private static StoredResult result(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return new StoredResult("application/zip", bytes);
    }
}
