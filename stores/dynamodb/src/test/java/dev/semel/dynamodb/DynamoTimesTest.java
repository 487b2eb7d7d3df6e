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
    private static BeforeRequest before;
    private static DynamoDbAsyncClient client;
    private static DynamoDbAsyncClient otherClient;

    private DynamoClaimStore store;
    private DynamoClaimStore other;

    @BeforeAll
    static void open() {
        changes = new AnswerChanges();
        before = new BeforeRequest();
        client = DynamoAccess.client(changes, before);
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

            assertThatThrownBy(() -> DynamoFutures.await(unknowing.apply(Commands.takeOver(seen), 1_024)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.BUSY));
            assertThat(read(other, ref).token()).isEqualTo(seen.token());
        }
    }

    @Test
    void anAnswerFromTheFutureTakesNoClaimOver() {
        Command.Insert insert = claimed();
        Snapshot seen = read(store, insert.ref());
        AtomicInteger answers = new AtomicInteger();
        changes.shiftDates(() -> answers.getAndIncrement() == 0 ? Duration.ofHours(1) : Duration.ZERO);

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

    /** An answer before its transaction would have told the time. */
    @Test
    void aClaimWithAliasesWhoseAnswerIsLateHasNoLeaseLeft() {
        Command.Insert insert = Commands.insert(newRef(), List.of(newRef()));
        before.once(BeforeRequest.aTransaction(), () -> changes.shiftDates(Duration.ofHours(1)));

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
            BeforeRequest linking = new BeforeRequest();
            try (DynamoDbAsyncClient sweeping = DynamoAccess.client(linking)) {
                DynamoClaimStore sweeper =
                        DynamoClaimStore.on(sweeping, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
                linking.once(
                        BeforeRequest.deleting(ref),
                        () -> assertThat(refused(behind, Commands.insert(late, List.of(ref)))
                                        .ref())
                                .isEqualTo(ref));
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
