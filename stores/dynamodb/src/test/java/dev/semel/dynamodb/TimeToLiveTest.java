// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.read;
import static dev.semel.dynamodb.Claimed.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import dev.semel.testkit.Commands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What DynamoDB itself may delete: settled claims a week after they have expired, and nothing that protects a key. */
class TimeToLiveTest {
    private static final String TABLE = "time_to_live";
    private static final long WEEK = Duration.ofDays(7).toSeconds();

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

    private static Map<String, AttributeValue> item(ClaimRef ref) {
        return DynamoAccess.item(client, TABLE, ref);
    }

    private static @Nullable Long timeToLive(ClaimRef ref) {
        return DynamoValues.numberOrNull(item(ref), DynamoTimeToLive.ATTRIBUTE);
    }

    private static Command.Settle settle(Command.Insert insert, Status status) {
        return new Command.Settle(insert.ref(), insert.token(), status, null, "some reason");
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.class,
            names = {"SUCCEEDED", "FAILED", "RETRYABLE"})
    void aSettledClaimIsDeletedAWeekAfterItHasExpired(Status status) {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        assertThat(timeToLive(insert.ref())).as("while it is running").isNull();

        applied(store, settle(insert, status));

        long expires = DynamoValues.number(item(insert.ref()), "expires_at") / 1_000_000;
        assertThat(timeToLive(insert.ref())).isBetween(expires + WEEK, expires + WEEK + 2);
    }

    @Test
    void aParkedClaimIsNotDeleted() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        applied(store, settle(insert, Status.UNKNOWN));
        assertThat(timeToLive(insert.ref())).isNull();

        applied(store, settle(insert, Status.FAILED));
        assertThat(timeToLive(insert.ref())).as("once it is decided").isNotNull();
    }

    @Test
    void aClaimWithoutExpiryIsNotDeleted() {
        Command.Insert insert = Commands.insert(newRef(), Terms.DEFAULT.withoutExpiry());
        applied(store, insert);
        applied(store, settle(insert, Status.SUCCEEDED));

        assertThat(timeToLive(insert.ref())).isGreaterThanOrEqualTo(DynamoTimeToLive.NEVER);
    }

    @Test
    void aClaimThatIsTakenOverIsNotDeletedWhileItRuns() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        applied(store, settle(insert, Status.RETRYABLE));
        applied(store, Commands.takeOver(read(store, insert.ref())));
        assertThat(timeToLive(insert.ref())).isNull();

        Command.Insert expired = Commands.insert(newRef());
        applied(store, expired);
        applied(store, settle(expired, Status.SUCCEEDED));
        DynamoAccess.age(client, TABLE, expired.ref(), Duration.ofDays(30));
        applied(store, Commands.takeOver(read(store, expired.ref())));
        assertThat(timeToLive(expired.ref())).isNull();
    }

    /** Its pointers would be left. They are deleted together, by the sweep. */
    @Test
    void aClaimWithPointersIsLeftToTheSweep() {
        ClaimRef a = newRef();
        ClaimRef b = newRef();
        Command.Insert insert = Commands.insert(a, List.of(b));
        applied(store, insert);
        applied(store, settle(insert, Status.SUCCEEDED));
        assertThat(timeToLive(a)).isGreaterThanOrEqualTo(DynamoTimeToLive.NEVER);
        assertThat(item(b)).doesNotContainKey(DynamoTimeToLive.ATTRIBUTE);
    }

    @Test
    void aClaimThatGetsAPointerLaterIsLeftToTheSweep() {
        ClaimRef a = newRef();
        Command.Insert settled = Commands.insert(a);
        applied(store, settled);
        applied(store, settle(settled, Status.SUCCEEDED));
        refused(store, Commands.insert(newRef(), List.of(a)));
        assertThat(timeToLive(a)).isNull();

        ClaimRef b = newRef();
        Command.Insert running = Commands.insert(b);
        applied(store, running);
        refused(store, Commands.insert(newRef(), List.of(b)));
        applied(store, settle(running, Status.SUCCEEDED));
        assertThat(timeToLive(b)).isGreaterThanOrEqualTo(DynamoTimeToLive.NEVER);
        DynamoAccess.age(client, TABLE, b, Duration.ofDays(30));
        applied(store, Commands.takeOver(read(store, b)));
        assertThat(item(b)).doesNotContainKey(DynamoTimeToLive.KEPT);
    }

    /** It would be deleted without its pointer, which then leads nowhere for ever. */
    @Test
    void aClaimThatGetsAPointerWhileItIsTakenOverIsLeftToTheSweep() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        applied(store, settle(insert, Status.RETRYABLE));
        // With another TTL, which the take-over writes.
        Command.TakeOver takeOver =
                Commands.takeOver(read(store, insert.ref()), Terms.DEFAULT.withTtl(Duration.ofHours(1)));
        BeforeRequest before = new BeforeRequest();
        before.once(
                BeforeRequest.updating(insert.ref()),
                () -> refused(store, Commands.insert(newRef(), List.of(insert.ref()))));
        try (DynamoDbAsyncClient linked = DynamoAccess.client(before)) {
            DynamoClaimStore other = DynamoClaimStore.on(linked, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
            applied(other, takeOver);
            applied(other, new Command.Settle(insert.ref(), takeOver.token(), Status.SUCCEEDED, null, "some reason"));
        }

        assertThat(before.hasRun()).isTrue();
        assertThat(item(insert.ref())).containsKey("aliases");
        assertThat(timeToLive(insert.ref())).isGreaterThanOrEqualTo(DynamoTimeToLive.NEVER);
    }

    @Test
    void anAbandonedClaimIsDeletedAWeekAfterItHasExpiredIfItMayRunAgain() {
        ClaimRef rerun = newRef();
        ClaimRef park = newRef();
        applied(store, Commands.insert(rerun));
        applied(store, Commands.insert(park, Terms.DEFAULT.withOnStale(StalePolicy.PARK)));
        DynamoAccess.age(client, TABLE, rerun, Duration.ofDays(3));
        DynamoAccess.age(client, TABLE, park, Duration.ofDays(3));

        while (store.sweep(100).more()) {
            // Until all is swept.
        }
        assertThat(read(store, rerun).status()).isEqualTo(Status.RETRYABLE);
        assertThat(timeToLive(rerun)).isNotNull();
        assertThat(read(store, park).status()).isEqualTo(Status.UNKNOWN);
        assertThat(timeToLive(park)).isNull();
    }

    /** As DynamoDB does it: the claim alone. Its large result is found by the sweep. */
    @Test
    void whatDynamoDbLeavesOfAClaimIsSwept() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        applied(
                store,
                new Command.Settle(
                        insert.ref(),
                        insert.token(),
                        Status.SUCCEEDED,
                        new StoredResult("application/zip", new byte[2 * DynamoChunks.SIZE]),
                        null));
        client.deleteItem(delete ->
                        delete.tableName(TABLE).key(DynamoRow.keyOf(insert.ref().digest())))
                .join();
        List<Map<String, AttributeValue>> chunks = chunks();
        assertThat(chunks).hasSize(2).noneMatch(chunk -> chunk.containsKey(DynamoTimeToLive.ATTRIBUTE));
        for (Map<String, AttributeValue> chunk : chunks) {
            boolean first = chunk.containsKey("due_at");
            client.updateItem(update -> update.tableName(TABLE)
                            .key(Map.of(DynamoRow.KEY, chunk.get(DynamoRow.KEY)))
                            .updateExpression("SET written_at = :past" + (first ? ", due_at = :past" : ""))
                            .expressionAttributeValues(Map.of(":past", DynamoValues.number(1))))
                    .join();
        }
        while (store.sweep(100).more()) {
            // Until all is swept.
        }
        assertThat(chunks()).isEmpty();
        applied(store, Commands.insert(insert.ref()));
    }

    private static List<Map<String, AttributeValue>> chunks() {
        return DynamoAccess.items(client, TABLE).stream()
                .filter(item -> item.containsKey("chunk"))
                .toList();
    }
}
