// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.Claimed.applied;
import static dev.semel.dynamodb.Claimed.newRef;
import static dev.semel.dynamodb.Claimed.read;
import static dev.semel.dynamodb.Claimed.verdict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A process whose host is suspended, with its monotonic clock, for longer than results are kept. When it goes on, it believes that no
 * time has passed. Here the dates of all answers jump instead.
 */
class DynamoSuspendedTest {
    private static final String TABLE = "suspended";
    private static final Secrets SECRETS = Secrets.of("a secret of this test only, long enough");
    private static final Operation<String> TRANSFER = Operation.of("transfer", Codec.text());
    private static final Duration KEPT = Duration.ofHours(24);
    private static final Duration SUSPENDED = Duration.ofHours(49);

    private static AnswerChanges changes;
    private static BeforeRequest before;
    private static DynamoDbAsyncClient client;
    private static DynamoDbAsyncClient otherClient;
    private static Accounts accounts;

    private DynamoClaimStore resumed;

    @BeforeAll
    static void open() {
        changes = new AnswerChanges();
        before = new BeforeRequest();
        client = DynamoAccess.client(changes, before);
        otherClient = DynamoAccess.client(changes);
        DynamoClaimStore.creating(otherClient, TABLE);
        accounts = Accounts.creating(otherClient, "suspended_accounts");
    }

    @AfterAll
    static void close() {
        client.close();
        otherClient.close();
    }

    @BeforeEach
    void start() {
        changes.shiftDates(Duration.ZERO);
        resumed = DynamoClaimStore.on(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    private static void suspend() {
        changes.shiftDates(SUSPENDED);
    }

    /** A process that knows the time of now. */
    private static DynamoClaimStore other() {
        return DynamoClaimStore.on(otherClient, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
    }

    private Command.Insert claimed() {
        Command.Insert insert = Commands.insert(newRef());
        applied(resumed, insert);
        return insert;
    }

    private static Command.Settle settle(Command.Insert insert, int size) {
        return new Command.Settle(
                insert.ref(), insert.token(), Status.SUCCEEDED, new StoredResult("text/plain", new byte[size]), null);
    }

    private static void isKept(Command.Settle settle) {
        Snapshot seen = read(other(), settle.ref());
        assertThat(seen.result()).isEqualTo(settle.result());
        assertThat(seen.expired()).isFalse();
        assertThat(seen.ttlLeft()).isBetween(KEPT.minusMinutes(1), KEPT.plusMinutes(1));
        assertThat(DynamoAccess.item(otherClient, TABLE, settle.ref()))
                .hasEntrySatisfying(
                        DynamoTimeToLive.ATTRIBUTE,
                        at -> assertThat(Long.parseLong(at.n()))
                                .isGreaterThan(System.currentTimeMillis() / 1_000
                                        + SUSPENDED.plus(KEPT).toSeconds()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, DynamoChunks.INLINE, DynamoChunks.INLINE + 1, 2 * DynamoChunks.SIZE})
    void aResultIsKeptForItsWholeTimeAfterItIsSettled(int size) {
        Command.Settle settle = settle(claimed(), size);
        suspend();

        applied(resumed, settle);

        isKept(settle);
    }

    /** It has written the chunks, and is suspended before it settles. Meanwhile they are deleted, because no claim has them. */
    @Test
    void aLargeResultIsWrittenAgain() {
        Command.Settle settle = settle(claimed(), 2 * DynamoChunks.SIZE);
        before.once(BeforeRequest.updating(settle.ref()), () -> {
            suspend();
            while (other().sweep(100).more()) {
                // Until all is swept. The claim may run again, so it is released.
            }
        });

        Verdict.Refused refused = assertInstanceOf(Verdict.Refused.class, verdict(resumed, settle));
        assertThat(refused.claim()).isNotNull();
        assertThat(refused.claim().status()).isEqualTo(Status.RETRYABLE);

        Command.Insert kept = Commands.insert(newRef(), Terms.DEFAULT.withoutExpiry());
        changes.shiftDates(Duration.ZERO);
        start();
        applied(resumed, kept);
        Command.Settle large = settle(kept, 2 * DynamoChunks.SIZE);
        before.once(BeforeRequest.updating(large.ref()), () -> {
            suspend();
            while (other().sweep(100).more()) {
                // Until all is swept.
            }
        });

        applied(resumed, large);

        assertThat(before.hasRun()).isTrue();
        assertThat(read(other(), large.ref()).result()).isEqualTo(large.result());
    }

    @Test
    void aSettlementWhoseAnswerWasLostIsKeptForItsWholeTimeOnceItIsSentAgain() {
        Command.Settle settle = settle(claimed(), 10);
        suspend();
        changes.lose(true);
        assertInstanceOf(Verdict.Errored.class, verdict(resumed, settle));
        changes.lose(false);

        applied(resumed, settle);

        isKept(settle);
    }

    /** Between its settlement and the correction. Its owner must not be told that the result is stored. */
    @Test
    void anOwnerIsToldIfItsClaimWasTakenOverBeforeTheCorrection() {
        Command.Settle settle = settle(claimed(), 10);
        suspend();
        before.once(
                BeforeRequest.updating(settle.ref()),
                () -> before.once(
                        BeforeRequest.updating(settle.ref()),
                        () -> applied(other(), Commands.takeOver(read(other(), settle.ref())))));

        Verdict.Refused refused = assertInstanceOf(Verdict.Refused.class, verdict(resumed, settle));

        assertThat(refused.claim()).isNotNull();
        assertThat(refused.claim().token()).isNotEqualTo(settle.expected());
    }

    /** Another process has read it as expired before the correction, and acts after it. */
    @Test
    void aResultThatWasCorrectedIsNeitherTakenOverNorSwept() {
        Command.Settle settle = settle(claimed(), 10);
        Command.Settle swept = settle(claimed(), 10);
        suspend();
        BeforeRequest acting = new BeforeRequest();
        try (DynamoDbAsyncClient late = DynamoAccess.client(changes, acting)) {
            DynamoClaimStore other = DynamoClaimStore.on(late, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
            uncorrected(settle, () -> {
                Command.TakeOver takeOver = Commands.takeOver(read(other, settle.ref()));
                acting.once(BeforeRequest.updating(settle.ref()), DynamoSuspendedTest::correct);
                assertInstanceOf(Verdict.Refused.class, verdict(other, takeOver));
            });
            isKept(settle);
            uncorrected(swept, () -> {
                acting.once(BeforeRequest.deleting(swept.ref()), DynamoSuspendedTest::correct);
                while (other.sweep(100).more()) {
                    // Until all is swept.
                }
            });
            assertThat(acting.hasRun()).isTrue();
            isKept(swept);
        }
    }

    private static Runnable correction = () -> {};

    private static void correct() {
        correction.run();
    }

    /** Does something between the settlement and its correction, which it can let happen. */
    private void uncorrected(Command.Settle settle, Runnable meanwhile) {
        before.once(
                BeforeRequest.updating(settle.ref()),
                () -> before.once(BeforeRequest.updating(settle.ref()), () -> {
                    correction = () -> redate(settle);
                    meanwhile.run();
                }));
        applied(resumed, settle);
    }

    /** As the process that was suspended does it. */
    private static void redate(Command.Settle settle) {
        applied(other(), settle);
    }

    @Test
    void aSettlementThatAnotherProcessSendsAgainIsKeptForItsWholeTime() {
        Command.Settle settle = settle(claimed(), 10);
        suspend();
        changes.lose(true);
        assertInstanceOf(Verdict.Errored.class, verdict(resumed, settle));
        changes.lose(false);

        applied(other(), settle);

        isKept(settle);
    }

    @Test
    void aDecisionIsKeptForItsWholeTime() {
        Command.Insert insert = claimed();
        applied(resumed, new Command.Settle(insert.ref(), insert.token(), Status.UNKNOWN, null, "unclear"));
        suspend();

        Command.Settle decision = settle(insert, 10);
        assertInstanceOf(
                Verdict.Applied.class,
                resumed.decide(
                        decision,
                        HistoryEntry.decision(
                                HistoryEntry.Kind.DECIDED_SUCCEEDED,
                                resumed.find(insert.ref()).orElseThrow(),
                                "operator",
                                "seen")));

        isKept(decision);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 2 * DynamoChunks.SIZE})
    void itemsAreWrittenOnceWithTheirClaim(int size) {
        String account = "account-" + UUID.randomUUID();
        ClaimKey key = TRANSFER.key("acme", account);
        String result = "x".repeat(size);
        suspend();

        assertThat(DynamoTransactions.on(resumed, SECRETS)
                        .execute(TRANSFER, key, TransactionItems.of(result, accounts.adding(account, 5))))
                .isEqualTo(new Outcome.Succeeded<>(result, false));
        assertThat(DynamoTransactions.on(other(), SECRETS)
                        .execute(TRANSFER, key, TransactionItems.of("again", accounts.adding(account, 5))))
                .isEqualTo(new Outcome.Succeeded<>(result, true));
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    /** After it has read the claim, and before it writes. */
    @Test
    void itemsAreWrittenOnceIfTheProcessIsSuspendedInTheMiddle() {
        String account = "account-" + UUID.randomUUID();
        ClaimKey key = TRANSFER.key("acme", account);
        before.once(BeforeRequest.aTransaction(), DynamoSuspendedTest::suspend);

        assertThat(DynamoTransactions.on(resumed, SECRETS)
                        .execute(TRANSFER, key, TransactionItems.of("first", accounts.adding(account, 5))))
                .isEqualTo(new Outcome.Succeeded<>("first", false));

        assertThat(before.hasRun()).isTrue();
        assertThat(DynamoTransactions.on(other(), SECRETS)
                        .execute(TRANSFER, key, TransactionItems.of("again", accounts.adding(account, 5))))
                .isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(accounts.balance(account)).isEqualTo(5);
    }
}
