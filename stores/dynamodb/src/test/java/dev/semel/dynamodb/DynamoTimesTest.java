// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.read;
import static dev.semel.dynamodb.Claimed.refused;
import static dev.semel.dynamodb.Claimed.verdict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Dates that are wrong or late, and answers that are lost. */
class DynamoTimesTest {
    private static final String TABLE = "times";
    private static final Duration LEASE = Duration.ofMinutes(5);

    private static AnswerChanges changes;
    private static DynamoDbAsyncClient client;
    private static DynamoDbAsyncClient otherClient;

    private DynamoClaimStore store;
    private DynamoClaimStore other;

    @BeforeAll
    static void open() {
        changes = new AnswerChanges();
        client = DynamoAccess.client(changes);
        otherClient = DynamoAccess.client();
        DynamoClaimStore.creating(otherClient, TABLE);
    }

    @AfterAll
    static void close() {
        client.close();
        otherClient.close();
    }

    /** Each test has processes of its own, which know nothing of the time yet. */
    @BeforeEach
    void start() {
        changes.shiftDates(Duration.ZERO);
        store = DynamoClaimStore.on(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
        other = DynamoClaimStore.on(otherClient, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    private Command.Insert claimed() {
        Command.Insert insert = Commands.insert(newRef());
        applied(store, insert);
        return insert;
    }

    @Test
    void anInsertIsRefusedAsBusyWhileTheTimeIsUnknown() {
        DynamoClock clock = new DynamoClock(System::nanoTime);
        DynamoCalls calls = new DynamoCalls(client, TABLE, clock, DynamoAccess.PATIENT);
        // Each answer contradicts all others.
        clock.observe(clock.ticks(), clock.ticks(), 0);
        AtomicInteger hours = new AtomicInteger();
        changes.shiftDates(() -> Duration.ofHours(hours.addAndGet(7)));

        assertThatThrownBy(() -> DynamoFutures.await(calls.time()))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.BUSY))
                .hasMessageContaining("time is unknown");
    }

    /** Not even one that failed retryably: a claim that is taken over gets a lease, which needs the time. */
    @Test
    void nothingIsTakenOverWhileTheTimeIsUnknown() {
        Command.Insert retryable = claimed();
        applied(store, Commands.settle(read(store, retryable.ref()), Status.RETRYABLE));
        Command.Insert lapsed = claimed();
        DynamoAccess.age(otherClient, TABLE, lapsed.ref(), Duration.ofHours(1));
        DynamoCalls calls = new DynamoCalls(client, TABLE, new DynamoClock(System::nanoTime), DynamoAccess.PATIENT);
        DynamoChunks chunks = new DynamoChunks(calls);
        DynamoCommands unknowing = new DynamoCommands(calls, new DynamoReads(calls, chunks), chunks);
        AtomicInteger hours = new AtomicInteger();
        changes.shiftDates(() -> Duration.ofHours(hours.addAndGet(7)));

        for (ClaimRef ref : List.of(retryable.ref(), lapsed.ref())) {
            Snapshot seen = read(other, ref);
            assertThat(seen.reclaimable()).isTrue();

            Verdict verdict = unknowing.apply(Commands.takeOver(seen), 1_024).join();

            Verdict.Refused refused = assertInstanceOf(Verdict.Refused.class, verdict);
            assertThat(refused.claim()).isNotNull();
            assertThat(read(other, ref).token()).isEqualTo(seen.token());
        }
    }

    @Test
    void anAnswerFromTheFutureTakesNoClaimOver() {
        Command.Insert insert = claimed();
        Snapshot seen = read(store, insert.ref());
        changes.shiftDates(Duration.ofHours(1));

        Snapshot shown = refused(store, Commands.takeOver(seen));

        assertThat(shown.token()).isEqualTo(insert.token());
        assertThat(shown.lapsed()).isFalse();
        assertThat(read(other, insert.ref()).token()).isEqualTo(insert.token());
    }

    /** Its answer is an hour late, or the servers' clock was set: either way, its owner must not rely on the lease. */
    @Test
    void aClaimWhoseAnswerIsLateHasNoLeaseLeft() {
        Command.Insert insert = Commands.insert(newRef());
        changes.shiftDates(Duration.ofHours(1));

        Verdict.Applied late = applied(store, insert);

        assertThat(late.leaseLeft()).isZero();
    }

    /** The first answer was lost. The second one is to another request, and shows that the first took effect long ago. */
    @Test
    void aClaimThatIsSentAgainLateHasNoLeaseLeft() {
        Command.Insert insert = claimed();
        changes.shiftDates(Duration.ofHours(1));

        Verdict.Applied late = applied(store, insert);

        assertThat(late.leaseLeft()).isZero();
    }

    @Test
    void aClaimWithAliasesWhoseAnswerIsLateHasNoLeaseLeft() {
        Command.Insert insert = Commands.insert(newRef(), List.of(newRef()));
        changes.shiftDates(Duration.ofHours(1));

        Verdict.Applied late = applied(store, insert);

        assertThat(late.leaseLeft()).isZero();
    }

    @Test
    void aDelayedRenewalDoesNotShortenALaterOne() {
        Command.Insert insert = claimed();
        // As if a later renewal had already arrived.
        DynamoAccess.age(otherClient, TABLE, insert.ref(), Duration.ofSeconds(-30));
        Duration before = read(other, insert.ref()).leaseLeft();

        Verdict.Applied overtaken = applied(store, new Command.Renew(insert.ref(), insert.token(), LEASE));

        assertThat(overtaken.leaseLeft()).isGreaterThan(LEASE.plusSeconds(20));
        assertThat(read(other, insert.ref()).leaseLeft()).isGreaterThan(before.minusSeconds(10));
    }

    @Test
    void aRenewalOfAnotherLengthReplacesTheLease() {
        Command.Insert insert = claimed();

        applied(store, new Command.Renew(insert.ref(), insert.token(), Duration.ofMinutes(1)));

        assertThat(read(other, insert.ref()).leaseLeft()).isLessThan(Duration.ofMinutes(2));
    }

    /** A lease that has ended by a second may still be running by the clock of another server. */
    @Test
    void aLeaseIsTakenOverOnlyAfterTheMargin() {
        Command.Insert insert = claimed();
        DynamoAccess.age(otherClient, TABLE, insert.ref(), LEASE.plusMillis(500));
        Snapshot seen = read(store, insert.ref());

        assertThat(seen.lapsed()).isFalse();
        assertThat(applied(store, insert).leaseLeft())
                .as("what its owner may rely on")
                .isZero();
        assertThat(refused(store, Commands.takeOver(seen)).token()).isEqualTo(insert.token());

        DynamoAccess.age(otherClient, TABLE, insert.ref(), Duration.ofSeconds(5));
        assertThat(read(store, insert.ref()).lapsed()).isTrue();
        applied(store, Commands.takeOver(seen));
    }

    @Test
    void everyCommandWhoseAnswerWasLostIsRecognizedWhenItIsSentAgain() {
        Command.Insert insert = Commands.insert(newRef());
        lost(insert);
        applied(other, insert);
        Command.Renew renew = new Command.Renew(insert.ref(), insert.token(), LEASE);
        lost(renew);
        applied(other, renew);
        Command.GiveBack back = new Command.GiveBack(insert.ref(), insert.token(), OwnerToken.random(), null);
        lost(back);
        assertThat(applied(other, back).attempt()).isZero();
        Command.TakeOver takeOver = Commands.takeOver(read(other, insert.ref()));
        lost(takeOver);
        assertThat(applied(other, takeOver).attempt()).isEqualTo(1);
        Command.Settle settle = new Command.Settle(
                insert.ref(), takeOver.token(), Status.SUCCEEDED, result(DynamoChunks.SIZE + 10), null);
        lost(settle);
        applied(other, settle);
        ClaimRef alias = newRef();
        Command.Insert aliased = Commands.insert(newRef(), List.of(alias));
        lost(aliased);
        applied(other, aliased);

        assertThat(read(other, insert.ref()).result()).isEqualTo(settle.result());
        assertThat(read(other, alias).token()).isEqualTo(aliased.token());
    }

    private void lost(Command command) {
        changes.lose(true);
        Verdict.Errored errored = assertInstanceOf(Verdict.Errored.class, verdict(store, command));
        assertThat(errored.cause().kind()).isEqualTo(StoreException.Kind.UNREACHABLE);
        changes.lose(false);
    }

    /** The other process does not see yet that the record has expired. */
    @Test
    void aPointerThatIsAddedWhileItsRecordIsSweptIsDeletedLater() {
        for (boolean withPointer : List.of(false, true)) {
            ClaimRef ref = newRef();
            ClaimRef early = newRef();
            ClaimRef late = newRef();
            Command.Insert insert = Commands.insert(ref, withPointer ? List.of(early) : List.of());
            applied(other, insert);
            applied(other, Commands.settle(read(other, ref), Status.SUCCEEDED));
            DynamoAccess.age(otherClient, TABLE, ref, Duration.ofHours(24).plusMinutes(30));
            changes.shiftDates(Duration.ofHours(-1));
            DynamoClaimStore behind = DynamoClaimStore.on(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
            BeforeDeletion linking = new BeforeDeletion(() -> assertThat(
                            refused(behind, Commands.insert(late, List.of(ref))).ref())
                    .isEqualTo(ref));
            try (DynamoDbAsyncClient sweeping = DynamoAccess.client(linking)) {
                DynamoClaimStore sweeper =
                        DynamoClaimStore.on(sweeping, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
                linking.arm(ref);
                sweepAll(sweeper);
                assertThat(linking.hasRun()).isTrue();
                sweepAll(sweeper);
            }
            assertThat(items(ref) + items(early) + items(late)).isZero();
        }
    }

    @Test
    void keysThatABatchDidNotProcessAreReadAgain() {
        List<Command.Insert> inserts =
                Stream.generate(() -> Commands.insert(newRef())).limit(150).toList();
        store.apply(inserts);
        changes.leaveKeysUnprocessed(true);

        Map<ClaimRef, Snapshot> found =
                store.read(inserts.stream().map(Command::ref).toList());

        changes.leaveKeysUnprocessed(false);
        assertThat(found).hasSize(150);
    }

    @Test
    void theChunksOfASettlementThatLostAreDeleted() {
        Command.Insert insert = claimed();
        DynamoAccess.age(otherClient, TABLE, insert.ref(), Duration.ofHours(1));
        applied(other, Commands.takeOver(read(other, insert.ref())));

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
        DynamoAccess.age(otherClient, TABLE, insert.ref(), Duration.ofDays(2));

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
        assertThat(read(other, insert.ref()).status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void chunksOfALivingClaimAreKept() {
        Command.Insert insert = claimed();
        StoredResult result = result(2 * DynamoChunks.SIZE);
        applied(store, new Command.Settle(insert.ref(), insert.token(), Status.SUCCEEDED, result, null));

        ageAllChunks(Duration.ofDays(2));
        sweepAll();

        assertThat(read(other, insert.ref()).result()).isEqualTo(result);
    }

    @Test
    void aResultWithAMissingChunkIsAnErrorAndNeverAnotherResult() {
        Command.Insert insert = settledInChunks();

        chunksAfterTheFirst(insert.ref())
                .forEach(item -> otherClient
                        .deleteItem(
                                delete -> delete.tableName(TABLE).key(Map.of(DynamoRow.KEY, item.get(DynamoRow.KEY))))
                        .join());

        assertThatThrownBy(() -> read(other, insert.ref()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is missing");
    }

    @Test
    void aChunkWithOtherContentIsNotReturned() {
        Command.Insert insert = settledInChunks();

        chunksAfterTheFirst(insert.ref()).forEach(item -> {
            Map<String, AttributeValue> changed = new HashMap<>(item);
            changed.put("chunk", DynamoValues.bytes(new byte[DynamoValues.bytes(item, "chunk").length]));
            otherClient.putItem(put -> put.tableName(TABLE).item(changed)).join();
        });

        assertThatThrownBy(() -> read(other, insert.ref())).isInstanceOf(StoreException.class);
    }

    private Command.Insert settledInChunks() {
        Command.Insert insert = claimed();
        applied(
                store,
                new Command.Settle(
                        insert.ref(), insert.token(), Status.SUCCEEDED, result(2 * DynamoChunks.SIZE), null));
        return insert;
    }

    private List<Map<String, AttributeValue>> chunksAfterTheFirst(ClaimRef ref) {
        return itemsOf(ref).stream()
                .filter(item -> item.containsKey("chunk") && !DynamoChunks.isFirstChunk(item))
                .toList();
    }

    private void ageAllChunks(Duration by) {
        DynamoAccess.items(otherClient, TABLE).stream()
                .filter(DynamoChunks::isFirstChunk)
                .forEach(head -> {
                    Map<String, AttributeValue> aged = new HashMap<>(head);
                    aged.put(
                            "due_at",
                            DynamoValues.number(DynamoValues.number(head, "due_at") - DynamoTransitions.micros(by)));
                    otherClient.putItem(put -> put.tableName(TABLE).item(aged)).join();
                });
    }

    private void sweepAll() {
        sweepAll(store);
    }

    private static void sweepAll(DynamoClaimStore store) {
        while (store.sweep(100).more()) {
            // Until all is swept.
        }
    }

    /** The row of a claim and its chunks. */
    private long items(ClaimRef ref) {
        return itemsOf(ref).size();
    }

    private List<Map<String, AttributeValue>> itemsOf(ClaimRef ref) {
        byte[] digest = ref.digest().bytes();
        return DynamoAccess.items(otherClient, TABLE).stream()
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
