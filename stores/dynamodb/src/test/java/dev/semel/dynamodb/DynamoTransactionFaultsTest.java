// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.key.Secrets;
import dev.semel.testservers.DynamoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Lost answers, conflicts, throttling, races, and results and items of hostile sizes. */
class DynamoTransactionFaultsTest {
    private static final String TABLE = "transaction_faults";
    private static final Secrets SECRETS = Secrets.of("a secret of this test only, long enough");
    private static final Operation<String> TRANSFER = Operation.of("transfer", Codec.text());
    private static final TransactionFaults FAULTS = new TransactionFaults();

    private static DynamoDbAsyncClient client;
    private static DynamoDbAsyncClient other;
    private static DynamoClaimStore store;
    private static DynamoTransactions transactions;
    private static Accounts accounts;

    private final String account = "account-" + UUID.randomUUID();
    private final ClaimKey key = TRANSFER.key("acme", UUID.randomUUID().toString());

    @BeforeAll
    static void open() {
        client = DynamoAccess.client(DynamoServer.shared().endpoint(), 1, FAULTS);
        other = DynamoAccess.client();
        store = DynamoClaimStore.creating(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
        transactions = DynamoTransactions.on(store, SECRETS);
        accounts = Accounts.creating(other, "transaction_faults_accounts");
    }

    @AfterAll
    static void close() {
        client.close();
        other.close();
    }

    @BeforeEach
    void forgetEarlierRequests() {
        FAULTS.forget(false);
        FAULTS.taken();
    }

    private Outcome<String> pay(String result) {
        return transactions.execute(TRANSFER, key, TransactionItems.of(result, accounts.adding(account, 5)));
    }

    private static Outcome<String> fresh(String value) {
        return new Outcome.Succeeded<>(value, false);
    }

    private static Outcome<String> replayed(String value) {
        return new Outcome.Succeeded<>(value, true);
    }

    private ClaimRef ref() {
        return transactions.refOf(TRANSFER, key);
    }

    private boolean isAbsent() {
        return store.read(List.of(ref())).isEmpty();
    }

    @Test
    void aLostAnswerIsSentAgainAndRecognizedByTheRequest() {
        FAULTS.lose(3);

        assertThat(pay("paid")).isEqualTo(fresh("paid"));

        List<TransactWriteItemsRequest> sent = FAULTS.taken();
        assertThat(sent).hasSize(4);
        assertThat(sent).containsOnly(sent.get(0));
        assertThat(accounts.balance(account)).isEqualTo(5);
        assertThat(pay("again")).isEqualTo(replayed("paid"));
    }

    @Test
    void aRequestThatDynamoDbHasForgottenIsRecognizedByItsOwner() {
        FAULTS.forget(true);
        FAULTS.lose(1);

        assertThat(pay("paid")).isEqualTo(fresh("paid"));
        assertThat(FAULTS.taken()).hasSize(2);
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    /** The conditions of the items do not hold any more, because they have been written. */
    @Test
    void aForgottenRequestIsNotTakenForARefusedOne() {
        transactions.execute(
                TRANSFER, TRANSFER.key("acme", account), TransactionItems.of("", accounts.adding(account, 5)));
        FAULTS.forget(true);
        FAULTS.lose(1);

        assertThat(transactions.execute(TRANSFER, key, TransactionItems.of("taken", accounts.taking(account, 5))))
                .isEqualTo(fresh("taken"));
        assertThat(accounts.balance(account)).isZero();
    }

    @Test
    void withoutAnyAnswerTheOutcomeIsUnknownUntilTheNextCall() {
        FAULTS.lose(100);
        try {
            assertThat(pay("paid")).isInstanceOfSatisfying(Outcome.Unsettled.class, unsettled -> {
                assertThat(unsettled.value()).isEqualTo("paid");
                assertThat(unsettled.lost()).isFalse();
            });
        } finally {
            FAULTS.lose(0);
        }
        assertThat(pay("again")).isEqualTo(replayed("paid"));
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    /** Its first request may still be under way when the second one is refused. It must not have an effect after the caller was told. */
    @Test
    void aRequestThatArrivesAfterItsRefusalHasNoEffect() {
        FAULTS.delay(1);
        assertThat(transactions.execute(TRANSFER, key, TransactionItems.of("taken", accounts.taking(account, 5))))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        refused -> assertThat(refused.cause()).isInstanceOf(ItemRefusedException.class));
        TransactWriteItemsRequest late = FAULTS.taken().get(0);
        transactions.execute(
                TRANSFER, TRANSFER.key("acme", account), TransactionItems.of("", accounts.adding(account, 5)));

        assertThatThrownBy(() -> other.transactWriteItems(late).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TransactionCanceledException.class);
        assertThat(accounts.balance(account)).isEqualTo(5);
        assertThat(Claimed.read(store, ref()).status()).isEqualTo(Status.RETRYABLE);
        assertThat(transactions.execute(TRANSFER, key, TransactionItems.of("taken", accounts.taking(account, 5))))
                .isEqualTo(fresh("taken"));
        assertThat(accounts.balance(account)).isZero();
    }

    /** The first call ended without an answer. What a later call was told must stay true when the first request arrives after all. */
    @Test
    void aRequestOfAnEarlierCallHasNoEffectAfterARefusal() {
        FAULTS.delay(8);
        assertThat(transactions.execute(TRANSFER, key, TransactionItems.of("taken", accounts.taking(account, 5))))
                .isInstanceOf(Outcome.Unsettled.class);
        TransactWriteItemsRequest late = FAULTS.taken().get(0);
        assertThat(transactions.execute(TRANSFER, key, TransactionItems.of("taken", accounts.taking(account, 5))))
                .isInstanceOf(Outcome.Retryable.class);
        transactions.execute(
                TRANSFER, TRANSFER.key("acme", account), TransactionItems.of("", accounts.adding(account, 5)));

        assertThatThrownBy(() -> other.transactWriteItems(late).join())
                .hasCauseInstanceOf(TransactionCanceledException.class);
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
    void aConflictAndThrottlingPass(String code) {
        FAULTS.cancel(code, 3);

        assertThat(pay("paid")).isEqualTo(fresh("paid"));
        assertThat(FAULTS.taken()).hasSize(4);
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    @Test
    void aConflictWithoutEndIsUnavailableAndNothingIsWritten() {
        FAULTS.cancel("TransactionConflict", 8);

        assertThat(pay("paid"))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.cause())
                                .hasMessageContaining("Other transactions kept writing"));
        assertThat(isAbsent()).isTrue();
        assertThat(accounts.balance(account)).isZero();
        assertThat(pay("paid")).isEqualTo(fresh("paid"));
    }

    /** Sending the transaction again would not help. */
    @ParameterizedTest
    @ValueSource(strings = {"ValidationError", "ItemCollectionSizeLimitExceeded", "AccessDenied"})
    void anItemThatIsRefusedForGoodIsNamedWithTheFix(String code) {
        FAULTS.cancel(code, 1);

        assertThat(pay("paid"))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        refused -> assertThat(refused.cause())
                                .isInstanceOf(ItemRefusedException.class)
                                .hasMessageContaining("item 0 (" + code + ")")
                                .hasMessageMatching(".*(Check the item|local secondary index|need permissions).*"));
        assertThat(accounts.balance(account)).isZero();
        assertThat(pay("paid")).isEqualTo(fresh("paid"));
    }

    /** Each runs its work about once: all are told the refusal, although only one of them stores it. */
    @Test
    void refusedCallersAtTheSameTimeDoNotRunTheirWorkAgainAndAgain() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<Outcome<String>>> all = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                all.add(threads.submit(() -> transactions.execute(TRANSFER, key, Fingerprint.NONE, run -> {
                    runs.incrementAndGet();
                    return TransactionItems.of("taken", accounts.taking(account, 5));
                })));
            }
            for (Future<Outcome<String>> one : all) {
                assertThat(one.get()).isInstanceOf(Outcome.Retryable.class);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(runs.get()).isBetween(16, 48);
    }

    @Test
    void twoProcessesWithOneKeyHaveOneEffect() throws Exception {
        DynamoTransactions second = DynamoTransactions.on(
                DynamoClaimStore.on(other, TABLE).withRequestTimeout(DynamoAccess.PATIENT), SECRETS);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 10; round++) {
                ClaimKey each = TRANSFER.key("acme", account + round);
                String target = account + round;
                List<Future<Outcome<String>>> all = new ArrayList<>();
                for (int thread = 0; thread < 8; thread++) {
                    DynamoTransactions process = thread % 2 == 0 ? transactions : second;
                    String result = "by " + thread;
                    all.add(threads.submit(() ->
                            process.execute(TRANSFER, each, TransactionItems.of(result, accounts.adding(target, 5)))));
                }
                List<String> values = new ArrayList<>();
                int ran = 0;
                for (Future<Outcome<String>> one : all) {
                    Outcome<String> outcome = one.get();
                    values.add(outcome.orElseThrow());
                    ran += outcome.isReplayed() ? 0 : 1;
                }
                assertThat(values).as("one result for all").containsOnly(values.get(0));
                assertThat(ran).isEqualTo(1);
                assertThat(accounts.balance(target)).isEqualTo(5);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                DynamoChunks.INLINE,
                DynamoChunks.INLINE + 1,
                DynamoChunks.SIZE,
                DynamoChunks.SIZE + 1,
                3 * 1024 * 1024,
                16 * 1024 * 1024
            })
    void aResultOfAnySizeIsReplayedByteForByte(int size) {
        String result = "x".repeat(Math.max(size - 1, 0)) + (size == 0 ? "" : "!");

        assertThat(pay(result)).isEqualTo(fresh(result));
        assertThat(pay("again")).isEqualTo(replayed(result));
        assertThat(accounts.balance(account)).isEqualTo(5);
        DynamoAccess.age(other, TABLE, ref(), Duration.ofDays(3));
        assertThat(pay("small")).isEqualTo(fresh("small"));
        assertThat(chunks()).isEmpty();
    }

    /** An encoder cannot make it, so the work would run again without end. */
    @Test
    void aResultAboveTheMaximumIsATombstone() {
        pay("x".repeat(16 * 1024 * 1024 + 1));

        assertThat(pay("again")).isInstanceOf(Outcome.Tombstone.class);
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    private List<?> chunks() {
        return DynamoAccess.items(other, TABLE).stream()
                .filter(item -> item.containsKey("chunk"))
                .toList();
    }

    @Test
    void aLargeResultIsDeletedIfItsTransactionIsRefused() {
        assertThat(transactions.execute(
                        TRANSFER,
                        key,
                        TransactionItems.of("x".repeat(400 * 1024), accounts.checking("missing-" + account))))
                .isInstanceOf(Outcome.Retryable.class);
        assertThat(chunks()).isEmpty();
        assertThat(Claimed.read(store, ref()).status()).isEqualTo(Status.RETRYABLE);
    }

    @Test
    void itemsThatAreTooLargeTogetherAreRefusedBeforeAnyRequest() {
        AttributeValue large = DynamoValues.bytes(new byte[390 * 1024]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    List<TransactWriteItem> items = new ArrayList<>();
                    for (int i = 0; i < 11; i++) {
                        items.add(accounts.putting(account + i, large));
                    }
                    new TransactionItems<>("x", items);
                })
                .withMessageContaining("4194304");
        assertThat(FAULTS.taken()).isEmpty();
    }

    @Test
    void anItemThatDynamoDbDoesNotAllowIsAnErrorAndNothingIsWritten() {
        AttributeValue tooLarge = DynamoValues.bytes(new byte[401 * 1024]);
        Outcome<String> outcome = transactions.execute(
                TRANSFER,
                key,
                TransactionItems.of("x", accounts.adding(account, 5), accounts.putting("x" + account, tooLarge)));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        refused -> assertThat(refused.cause())
                                .isInstanceOfAny(ItemRefusedException.class, StoreException.class));
        assertThat(isAbsent()).isTrue();
        assertThat(accounts.balance(account)).isZero();
    }

    @Test
    void aTableThatDoesNotExistIsAnErrorAndNothingIsWritten() {
        Outcome<String> outcome = transactions.execute(
                TRANSFER,
                key,
                TransactionItems.of(
                        "x",
                        TransactWriteItem.builder()
                                .delete(delete ->
                                        delete.tableName("no_such_table").key(Accounts.keyOf("x")))
                                .build()));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        refused -> assertThat(refused.cause())
                                .hasMessageContaining("ResourceNotFoundException")
                                .hasMessageContaining("Or a table of your items"));
        assertThat(isAbsent()).isTrue();
    }
}
