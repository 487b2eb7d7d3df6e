// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.read;
import static dev.semel.dynamodb.Claimed.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.testkit.Commands;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Results that are too large for the item of their claim, and the sweep of what is left of them. */
class DynamoChunksTest {
    private static final String TABLE = "chunks";

    private static DynamoDbAsyncClient client;
    private static DynamoClaimStore store;

    @BeforeAll
    static void open() {
        client = DynamoAccess.client();
        store = DynamoClaimStore.creating(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private static Command.Insert claimed() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        return insert;
    }

    private static Command.Settle settle(Command.Insert insert, int size) {
        return new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, result(size), null);
    }

    @Test
    void theChunksOfASettlementThatLostAreDeleted() {
        Command.Insert insert = claimed();
        DynamoAccess.age(client, TABLE, insert.ref(), Duration.ofHours(1));
        applied(store, Commands.takeOver(read(store, insert.ref())));

        refused(
                store,
                new Command.Settle(
                        insert.ref(), insert.token(), Status.SUCCEEDED, result(3 * DynamoChunks.SIZE), null));

        assertThat(items(insert.ref())).isEqualTo(1);
    }

    @Test
    void theChunksOfAResultAreDeletedWithItsClaim() {
        Command.Insert insert = claimed();
        applied(
                store,
                new Command.Settle(
                        insert.ref(), insert.token(), Status.SUCCEEDED, result(3 * DynamoChunks.SIZE), null));
        assertThat(items(insert.ref())).isEqualTo(4);
        DynamoAccess.age(client, TABLE, insert.ref(), Duration.ofDays(2));

        sweepAll();

        assertThat(items(insert.ref())).isZero();
    }

    /** The process ended after it had written them. */
    @Test
    void orphanedChunksAreDeletedADayLater() {
        Command.Insert insert = claimed();
        DynamoCalls calls = new DynamoCalls(client, TABLE, new DynamoClock(System::nanoTime), DynamoAccess.PATIENT);
        DynamoChunks chunks = new DynamoChunks(calls);
        chunks.write(insert.ref(), insert.token(), result(2 * DynamoChunks.SIZE))
                .join();
        sweepAll();
        assertThat(items(insert.ref())).isEqualTo(3);

        ageAllChunks(Duration.ofDays(2));
        sweepAll();

        assertThat(items(insert.ref())).isEqualTo(1);
        assertThat(read(store, insert.ref()).status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void chunksOfALivingClaimAreKept() {
        Command.Insert insert = claimed();
        StoredResult result = result(2 * DynamoChunks.SIZE);
        applied(store, new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, result, null));

        ageAllChunks(Duration.ofDays(2));
        sweepAll();

        assertThat(read(store, insert.ref()).result()).isEqualTo(result);
    }

    @Test
    void aResultWithAMissingChunkIsAnErrorAndNeverAnotherResult() {
        Command.Insert insert = settledInChunks();

        chunksAfterTheFirst(insert.ref())
                .forEach(item -> client.deleteItem(
                                delete -> delete.tableName(TABLE).key(Map.of(DynamoRow.KEY, item.get(DynamoRow.KEY))))
                        .join());

        assertThatThrownBy(() -> read(store, insert.ref()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is missing");
    }

    @Test
    void aChunkWithOtherContentIsNotReturned() {
        Command.Insert insert = settledInChunks();

        chunksAfterTheFirst(insert.ref()).forEach(item -> {
            Map<String, AttributeValue> changed = new HashMap<>(item);
            changed.put("chunk", DynamoValues.bytes(new byte[DynamoValues.bytes(item, "chunk").length]));
            client.putItem(put -> put.tableName(TABLE).item(changed)).join();
        });

        assertThatThrownBy(() -> read(store, insert.ref())).isInstanceOf(StoreException.class);
    }

    private static Command.Insert settledInChunks() {
        Command.Insert insert = claimed();
        applied(
                store,
                new Command.Settle(
                        insert.ref(), insert.token(), Status.SUCCEEDED, result(2 * DynamoChunks.SIZE), null));
        return insert;
    }

    private static List<Map<String, AttributeValue>> chunksAfterTheFirst(ClaimRef ref) {
        return itemsOf(ref).stream()
                .filter(item -> item.containsKey("chunk") && !item.containsKey("claim_hash"))
                .toList();
    }

    /** The others may have been written before or after the first one. */
    private static void ageAllChunks(Duration by) {
        DynamoAccess.items(client, TABLE).stream()
                .filter(item -> item.containsKey("chunk"))
                .forEach(head -> {
                    Map<String, AttributeValue> aged = new HashMap<>(head);
                    for (String time : List.of("due_at", "written_at")) {
                        Long at = DynamoValues.numberOrNull(head, time);
                        if (at != null) {
                            aged.put(time, DynamoValues.number(at - DynamoTransitions.micros(by)));
                        }
                    }
                    client.putItem(put -> put.tableName(TABLE).item(aged)).join();
                });
    }

    /** A sweep finds chunks that no claim has. Before it deletes them, their owner settles. */
    @Test
    void chunksThatAreWrittenAgainDuringASweepStay() {
        Command.Insert insert = claimed();
        Command.Settle settle = settle(insert, 3 * DynamoChunks.SIZE);
        orphaned(settle);
        BeforeRequest settling = new BeforeRequest();
        settling.once(BeforeRequest.deletingAChunk(), () -> applied(store, settle));
        try (DynamoDbAsyncClient sweeping = DynamoAccess.client(settling)) {
            sweepAll(DynamoClaimStore.on(sweeping, TABLE).withRequestTimeout(DynamoAccess.PATIENT));
        }

        assertThat(settling.hasRun()).isTrue();
        assertThat(read(store, insert.ref()).result()).isEqualTo(settle.result());
    }

    /** The process ended in the middle of writing the chunks for the second time. */
    @Test
    void chunksThatWereWrittenAgainInPartAreDeleted() {
        Command.Settle settle = settle(claimed(), 3 * DynamoChunks.SIZE);
        orphaned(settle);
        chunksAfterTheFirst(settle.ref()).forEach(item -> {
            Map<String, AttributeValue> earlier = new HashMap<>(item);
            earlier.put(
                    "written_at",
                    DynamoValues.number(DynamoValues.number(item, "written_at") - 3 * DynamoClock.SECOND));
            client.putItem(put -> put.tableName(TABLE).item(earlier)).join();
        });

        sweepAll();

        assertThat(items(settle.ref())).isEqualTo(1);
    }

    /** Otherwise one sweep could need hundreds of megabytes. */
    @Test
    void aSweepDoesNotReadTheContentOfChunks() {
        for (int i = 0; i < 3; i++) {
            orphaned(settle(claimed(), 2 * DynamoChunks.SIZE));
        }
        LargestAnswer answers = new LargestAnswer();
        try (DynamoDbAsyncClient sweeping = DynamoAccess.client(answers)) {
            sweepAll(DynamoClaimStore.on(sweeping, TABLE).withRequestTimeout(DynamoAccess.PATIENT));
        }

        assertThat(answers.bytes()).isBetween(1L, 100_000L);
    }

    private static void orphaned(Command.Settle settle) {
        StoredResult result = settle.result();
        assertThat(result).isNotNull();
        new DynamoChunks(new DynamoCalls(client, TABLE, new DynamoClock(System::nanoTime), DynamoAccess.PATIENT))
                .write(settle.ref(), settle.expected(), result)
                .join();
        ageAllChunks(Duration.ofDays(2));
    }

    private static void sweepAll() {
        sweepAll(store);
    }

    private static void sweepAll(DynamoClaimStore sweeper) {
        while (sweeper.sweep(100).more()) {
            // Until all is swept.
        }
    }

    /** The row of a claim and its chunks. */
    private static long items(ClaimRef ref) {
        return itemsOf(ref).size();
    }

    private static List<Map<String, AttributeValue>> itemsOf(ClaimRef ref) {
        byte[] digest = ref.digest().bytes();
        return DynamoAccess.items(client, TABLE).stream()
                .filter(item ->
                        Arrays.equals(digest, Arrays.copyOf(DynamoValues.bytes(item, DynamoRow.KEY), digest.length)))
                .toList();
    }

    private static StoredResult result(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return new StoredResult("application/zip", bytes);
    }
}
