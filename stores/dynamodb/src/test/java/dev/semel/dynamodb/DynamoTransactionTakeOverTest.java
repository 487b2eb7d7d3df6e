// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.testkit.Commands;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Transactions on keys that an engine has claimed. */
class DynamoTransactionTakeOverTest {
    private static final String TABLE = "transaction_takeover";
    private static final Operation<String> TRANSFER = Operation.of("transfer", Codec.text());

    private static DynamoDbAsyncClient client;
    private static DynamoClaimStore store;
    private static DynamoTransactions transactions;
    private static Accounts accounts;

    private final String account = "account-" + UUID.randomUUID();
    private final ClaimKey key = TRANSFER.key("acme", UUID.randomUUID().toString());

    @BeforeAll
    static void open() {
        client = DynamoAccess.client();
        store = DynamoClaimStore.creating(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
        transactions = DynamoTransactions.on(store, Secrets.of("a secret of this test only, long enough"));
        accounts = Accounts.creating(client, "transaction_takeover_accounts");
    }

    @AfterAll
    static void close() {
        client.close();
    }

    private Outcome<String> pay() {
        return transactions.execute(
                TRANSFER,
                key,
                Fingerprint.NONE,
                run -> TransactionItems.of(
                        "attempt " + run.attempt() + ", fence " + run.fence(), accounts.adding(account, 5)));
    }

    private ClaimRef ref() {
        return transactions.refOf(TRANSFER, key);
    }

    private Command.Insert claimed(StalePolicy onStale) {
        Command.Insert some = Commands.insert(ref(), Terms.DEFAULT.withOnStale(onStale));
        Command.Insert insert = new Command.Insert(
                some.ref(), "transfer", some.secretId(), some.token(), some.record(), Fingerprint.NONE, some.terms());
        Claimed.applied(store, insert);
        return insert;
    }

    @Test
    void aRunningClaimIsInProgressAndNothingIsWritten() {
        claimed(StalePolicy.RERUN);
        Object before = DynamoAccess.item(client, TABLE, ref());

        assertThat(pay()).isInstanceOf(Outcome.InProgress.class);
        assertThat(accounts.balance(account)).isZero();
        assertThat(DynamoAccess.item(client, TABLE, ref())).isEqualTo(before);
    }

    @Test
    void aDuplicateWaitsForTheEngineAsLongAsTheOperationAllows() throws Exception {
        Command.Insert running = claimed(StalePolicy.RERUN);
        AtomicBoolean waiting = new AtomicBoolean();
        Thread engine = new Thread(() -> {
            while (!waiting.get()) {
                Thread.onSpinWait();
            }
            Claimed.applied(
                    store,
                    new Command.Settle(
                            running.ref(),
                            running.token(),
                            Status.SUCCEEDED,
                            new StoredResult("text/plain", new byte[] {'x'}),
                            null));
        });
        engine.start();
        waiting.set(true);

        assertThat(transactions.execute(
                        TRANSFER.waitingUpTo(Duration.ofMinutes(5)),
                        key,
                        TransactionItems.of("unused", accounts.adding(account, 5))))
                .isEqualTo(new Outcome.Succeeded<>("x", true));
        engine.join();
        assertThat(accounts.balance(account)).isZero();
    }

    @Test
    void aLapsedClaimIsTakenOverWithItsAttemptAndAHigherFence() {
        Command.Insert lapsed = claimed(StalePolicy.RERUN);
        long fence = Claimed.read(store, ref()).fence();
        DynamoAccess.age(client, TABLE, ref(), Duration.ofHours(1));

        Outcome<String> outcome = pay();

        Snapshot after = Claimed.read(store, ref());
        assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("attempt 2, fence " + after.fence(), false));
        assertThat(after.attempt()).isEqualTo(2);
        assertThat(after.fence()).isGreaterThan(fence);
        assertThat(after.record()).isEqualTo(lapsed.record());
        assertThat(accounts.balance(account)).isEqualTo(5);
        assertThat(Claimed.refused(store, new Command.Settle(lapsed.ref(), lapsed.token(), Status.FAILED, null, "late"))
                        .status())
                .isEqualTo(Status.SUCCEEDED);
    }

    @ParameterizedTest
    @EnumSource(
            value = StalePolicy.class,
            names = {"PARK", "RECONCILE"})
    void aLapsedClaimThatMayNotRunAgainIsUnknown(StalePolicy onStale) {
        claimed(onStale);
        DynamoAccess.age(client, TABLE, ref(), Duration.ofHours(1));
        Object before = DynamoAccess.item(client, TABLE, ref());

        assertThat(pay()).isInstanceOf(Outcome.Unknown.class);
        assertThat(accounts.balance(account)).isZero();
        assertThat(DynamoAccess.item(client, TABLE, ref())).isEqualTo(before);
    }

    @Test
    void aClaimThatIsRenewedWhileTheItemsAreMadeIsNotTakenOver() {
        Command.Insert lapsed = claimed(StalePolicy.RERUN);
        DynamoAccess.age(client, TABLE, ref(), Duration.ofMinutes(10));

        Outcome<String> outcome = transactions.execute(TRANSFER, key, Fingerprint.NONE, run -> {
            Claimed.verdict(store, new Command.Renew(lapsed.ref(), lapsed.token(), Duration.ofMinutes(20)));
            return TransactionItems.of("x", accounts.adding(account, 5));
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(accounts.balance(account)).isZero();
    }

    @Test
    void aKeyThatIsClaimedWhileTheItemsAreMadeIsNotClaimedTwice() {
        Outcome<String> outcome = transactions.execute(TRANSFER, key, Fingerprint.NONE, run -> {
            claimed(StalePolicy.RERUN);
            return TransactionItems.of("x", accounts.adding(account, 5));
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(accounts.balance(account)).isZero();
        assertThat(Claimed.read(store, ref()).attempt()).isEqualTo(1);
    }

    @Test
    void aParkedClaimStaysParked() {
        Command.Insert claim = claimed(StalePolicy.RERUN);
        Claimed.applied(store, new Command.Settle(claim.ref(), claim.token(), Status.UNKNOWN, null, "lost"));

        assertThat(pay()).isInstanceOf(Outcome.Unknown.class);
        assertThat(accounts.balance(account)).isZero();
    }

    @Test
    void whatIsWrittenIsListedAndSwept() {
        transactions.execute(TRANSFER, key, TransactionItems.of("x".repeat(5_000), accounts.adding(account, 5)));
        assertThat(store.find(ref()).orElseThrow().resultSize()).isEqualTo(5_000);
        assertThat(store.withPrefix("acme", ref().digest().hex().substring(0, 10), 5))
                .hasSize(1);
        DynamoAccess.age(client, TABLE, ref(), Duration.ofDays(2));

        while (store.sweep(100).more()) {
            // Until all is swept.
        }
        assertThat(store.read(List.of(ref()))).isEmpty();
        assertThat(DynamoAccess.items(client, TABLE)).noneMatch(item -> item.containsKey("chunk"));
    }
}
