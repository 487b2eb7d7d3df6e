// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.spi.Snapshot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Claim, result and the user's items are one write. */
class DynamoTransactionsTest {
    private static final String TABLE = "transactions";
    private static final Duration PAST_TTL = Duration.ofDays(2);
    private static final Secret SECRET = Secret.of("a secret of this test only, long enough");
    private static final Operation<String> TRANSFER = Operation.of("transfer", Codec.text());
    private static final RequestLog LOG = new RequestLog();

    private static DynamoDbAsyncClient client;
    private static DynamoDbAsyncClient silent;
    private static DynamoClaimStore store;
    private static DynamoTransactions transactions;
    private static Accounts accounts;

    private final String account = "account-" + UUID.randomUUID();
    private final ClaimKey key = TRANSFER.key("acme", UUID.randomUUID().toString());

    @BeforeAll
    static void open() {
        client = DynamoAccess.client(LOG);
        silent = DynamoAccess.client();
        store = DynamoClaimStore.creating(client, TABLE).withRequestTimeout(DynamoAccess.PATIENT);
        transactions = DynamoTransactions.on(store, Secrets.of(SECRET));
        accounts = Accounts.creating(silent, "transactions_accounts");
    }

    @AfterAll
    static void close() {
        client.close();
        silent.close();
    }

    @BeforeEach
    void forgetEarlierRequests() {
        store.current();
        LOG.taken();
    }

    private ClaimRef ref() {
        return transactions.refOf(TRANSFER, key);
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

    private Snapshot claim() {
        return Claimed.read(store, ref());
    }

    private boolean isAbsent() {
        return store.read(List.of(ref())).isEmpty();
    }

    @Test
    void theFirstCallWritesOnceAndADuplicateOnlyReads() {
        assertThat(pay("paid")).isEqualTo(fresh("paid"));
        assertThat(LOG.taken()).isEqualTo(Map.of("GetItem", 1, "TransactWriteItems", 1));
        Map<?, ?> written = DynamoAccess.item(silent, TABLE, ref());

        assertThat(pay("paid again")).isEqualTo(replayed("paid"));
        assertThat(LOG.taken()).isEqualTo(Map.of("GetItem", 1));
        assertThat(DynamoAccess.item(silent, TABLE, ref())).isEqualTo(written);
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    @Test
    void theClaimIsAsAnEngineWouldHaveSettledIt() {
        pay("paid");

        Snapshot claim = claim();
        assertThat(claim.status()).isEqualTo(Status.SUCCEEDED);
        assertThat(claim.attempt()).isEqualTo(1);
        assertThat(claim.ttlLeft()).isBetween(Duration.ofHours(23), Duration.ofDays(1));
        try (Semel semel =
                Semel.on(store).secrets(Secrets.of(SECRET)).withoutSweep().build()) {
            assertThat(semel.execute(TRANSFER, key, run -> "run by the engine")).isEqualTo(replayed("paid"));
            ClaimKey other = TRANSFER.key("acme", "other-" + account);
            semel.execute(TRANSFER, other, run -> "run by the engine");
            assertThat(transactions.execute(TRANSFER, other, TransactionItems.of("x", accounts.adding(account, 1))))
                    .isEqualTo(replayed("run by the engine"));
        }
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    @Test
    void anotherFingerprintIsAMismatchBeforeAnythingIsWritten() {
        Fingerprint one = Fingerprint.of("one".getBytes(StandardCharsets.UTF_8));
        Fingerprint two = Fingerprint.of("two".getBytes(StandardCharsets.UTF_8));
        transactions.execute(TRANSFER, key, one, TransactionItems.of("paid", accounts.adding(account, 5)));
        LOG.taken();

        assertThat(transactions.execute(TRANSFER, key, two, TransactionItems.of("paid", accounts.adding(account, 5))))
                .isInstanceOf(Outcome.Mismatch.class);
        assertThat(LOG.taken()).isEqualTo(Map.of("GetItem", 1));
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    @Test
    void aConditionThatDoesNotHoldIsNamedAndTheKeyCanBeUsedAgain() {
        TransactionItems<String> items = TransactionItems.of(
                "paid",
                accounts.adding("other-" + account, 7),
                accounts.taking(account, 7),
                accounts.checking("missing-" + account));

        Outcome<String> outcome = transactions.execute(TRANSFER, key, items);

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Retryable.class, retryable -> {
            assertThat(retryable.cause()).isInstanceOf(ItemRefusedException.class);
            ItemRefusedException refused = (ItemRefusedException) retryable.cause();
            assertThat(refused)
                    .hasMessageContaining("item 1 (ConditionalCheckFailed), item 2 (ConditionalCheckFailed)");
            assertThat(refused.isConditionOf(0)).isFalse();
            assertThat(refused.isConditionOf(1)).isTrue();
            assertThat(refused.isConditionOf(2)).isTrue();
        });
        assertThat(Claimed.read(store, transactions.refOf(TRANSFER, key)).status())
                .isEqualTo(Status.RETRYABLE);
        assertThat(accounts.balance("other-" + account)).isZero();

        transactions.execute(
                TRANSFER,
                TRANSFER.key("acme", account),
                TransactionItems.of("", accounts.adding(account, 9), accounts.adding("missing-" + account, 1)));
        assertThat(transactions.execute(TRANSFER, key, items)).isEqualTo(fresh("paid"));
        assertThat(accounts.balance(account)).isEqualTo(2);
        assertThat(claim().attempt()).isEqualTo(1);
    }

    /** Nothing was written, so it may be tried again for ever. */
    @Test
    void aRefusedItemDoesNotCountAsAnAttempt() {
        Operation<String> capped = TRANSFER.withAttemptCap(1);
        TransactionItems<String> items = TransactionItems.of("paid", accounts.taking(account, 7));
        for (int i = 0; i < 3; i++) {
            assertThat(transactions.execute(capped, key, items)).isInstanceOf(Outcome.Retryable.class);
        }
        transactions.execute(
                TRANSFER, TRANSFER.key("acme", account), TransactionItems.of("", accounts.adding(account, 9)));

        assertThat(transactions.execute(capped, key, items)).isEqualTo(fresh("paid"));
    }

    @Test
    void upTo98ItemsAreWritten() {
        for (int count : List.of(0, 1, 98)) {
            ClaimKey each = TRANSFER.key("acme", account + count);
            assertThat(transactions.execute(TRANSFER, each, new TransactionItems<>("paid", items(count))))
                    .isEqualTo(fresh("paid"));
            assertThat(accounts.balance(account + "-" + 0)).isEqualTo(count == 0 ? 0 : count == 1 ? 1 : 2);
        }
        assertThat(accounts.balance(account + "-97")).isEqualTo(1);
        LOG.taken();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> transactions.execute(TRANSFER, key, new TransactionItems<>("paid", items(99))))
                .withMessageContaining("up to 98 items besides its claim, but there are 99");
        assertThat(LOG.taken()).isEmpty();
    }

    private List<TransactWriteItem> items(int count) {
        List<TransactWriteItem> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(accounts.adding(account + "-" + i, 1));
        }
        return items;
    }

    /** A forgotten return would otherwise use up the key. */
    @Test
    void workThatReturnsNullWritesNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> transactions.execute(TRANSFER, key, Fingerprint.NONE, run -> null))
                .withMessageContaining("Return TransactionItems.of(value)");
        assertThat(isAbsent()).isTrue();
    }

    /** Two digests of a rotation are two items of the claim. Three leave room for 97. */
    @Test
    void aKeyWithManyDigestsLeavesLessItems() {
        AliasedKey three = new AliasedKey(
                key, List.of(TRANSFER.key("acme", "b-" + account), TRANSFER.key("acme", "c-" + account)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> transactions.execute(
                        TRANSFER, three, Fingerprint.NONE, run -> new TransactionItems<>("paid", items(98))))
                .withMessageContaining("97 more are possible, but there are 98");
        assertThat(isAbsent()).isTrue();
        assertThat(transactions.execute(
                        TRANSFER, three, Fingerprint.NONE, run -> new TransactionItems<>("paid", items(97))))
                .isEqualTo(fresh("paid"));
        assertThat(transactions.execute(
                        TRANSFER,
                        TRANSFER.key("acme", "c-" + account),
                        TransactionItems.of("by its alias", accounts.adding(account, 1))))
                .isEqualTo(replayed("paid"));
        assertThat(accounts.balance(account + "-96")).isEqualTo(1);
    }

    @Test
    void itemsInSemelsTableAndTwoOfOneItemAreRefusedBeforeAnyRequest() {
        for (String own : List.of(TABLE, "arn:aws:dynamodb:eu-central-1:1:table/" + TABLE)) {
            TransactWriteItem item = TransactWriteItem.builder()
                    .delete(delete -> delete.tableName(own).key(DynamoRow.keyOf(ref().digest())))
                    .build();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transactions.execute(TRANSFER, key, TransactionItems.of("x", item)))
                    .withMessageContaining("Semel's own table transactions");
        }
        TransactWriteItem put = accounts.putting(account, DynamoValues.text("some"));
        for (List<TransactWriteItem> twice : List.of(
                List.of(put, accounts.adding(account, 1)),
                List.of(accounts.deleting(account), put),
                List.of(put, put),
                List.of(accounts.adding(account, 1), accounts.adding("x", 1), accounts.checking(account)))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new TransactionItems<>("x", twice))
                    .withMessageContaining("Items 0 and ")
                    .withMessageContaining("the same item of transactions_accounts");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        TransactionItems.of("x", TransactWriteItem.builder().build()))
                .withMessageContaining("Item 0 must be one put");
        assertThat(LOG.taken()).isEmpty();
    }

    @Test
    void anExpiredClaimIsMadeAnew() {
        pay("first");
        long fence = claim().fence();
        DynamoAccess.age(silent, TABLE, ref(), PAST_TTL);

        assertThat(pay("second")).isEqualTo(fresh("second"));
        assertThat(accounts.balance(account)).isEqualTo(10);
        assertThat(claim().attempt()).isEqualTo(1);
        assertThat(claim().fence()).isGreaterThan(fence);
    }

    @Test
    void workThatThrowsWritesNothingAndItsAttemptCounts() {
        AtomicLong fence = new AtomicLong();
        IllegalStateException broken = new IllegalStateException("broken");
        assertThat(transactions.execute(TRANSFER, key, Fingerprint.NONE, run -> {
                    fence.set(run.fence());
                    throw broken;
                }))
                .isEqualTo(new Outcome.Retryable<>(broken));
        assertThat(claim().status()).isEqualTo(Status.RETRYABLE);
        assertThat(claim().fence()).isEqualTo(fence.get());

        assertThat(transactions.execute(TRANSFER, key, Fingerprint.NONE, run -> {
                    assertThat(run.fence()).isGreaterThan(fence.get());
                    return TransactionItems.of("attempt " + run.attempt(), accounts.adding(account, 5));
                }))
                .isEqualTo(fresh("attempt 2"));
        assertThat(claim().attempt()).isEqualTo(2);
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    @Test
    void theLastAttemptFailsForGood() {
        Operation<String> capped = TRANSFER.withAttemptCap(1);
        IllegalStateException broken = new IllegalStateException("broken");
        transactions.execute(capped, key, Fingerprint.NONE, run -> {
            throw broken;
        });
        assertThat(transactions.execute(capped, key, TransactionItems.of("x", accounts.adding(account, 5))))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.replayed()).isTrue());
        assertThat(accounts.balance(account)).isZero();
    }

    @Test
    void aRejectionIsStoredWithOrWithoutItems() {
        for (int i = 0; i < 2; i++) {
            Outcome<String> outcome =
                    transactions.execute(TRANSFER, key, Fingerprint.NONE, run -> run.reject("NO_MONEY"));
            int call = i;
            assertThat(outcome).isInstanceOfSatisfying(Outcome.Rejected.class, rejected -> {
                assertThat(rejected.rejection().code()).isEqualTo("NO_MONEY");
                assertThat(rejected.replayed()).isEqualTo(call == 1);
            });
        }
        ClaimKey other = TRANSFER.key("acme", "other-" + account);
        transactions.execute(TRANSFER, other, Fingerprint.NONE, run -> {
            run.reject("NOTED");
            return TransactionItems.of("unused", accounts.adding(account, 1));
        });
        assertThat(accounts.balance(account)).isEqualTo(1);
    }

    @Test
    void aRotatedSecretFindsTheClaimAndNewClaimsHaveBothDigests() {
        Secret next = Secret.of("the next secret of this test, long enough");
        DynamoTransactions rotating = DynamoTransactions.on(store, Secrets.of(next, SECRET));
        pay("paid");

        assertThat(rotating.execute(TRANSFER, key, TransactionItems.of("again", accounts.adding(account, 5))))
                .isEqualTo(replayed("paid"));
        DynamoTransactions rotated = DynamoTransactions.on(store, Secrets.of(next));
        assertThat(rotated.execute(TRANSFER, key, TransactionItems.of("again", accounts.adding(account, 5))))
                .isEqualTo(replayed("paid"));

        ClaimKey other = TRANSFER.key("acme", "other-" + account);
        assertThat(rotating.execute(TRANSFER, other, new TransactionItems<>("by both", items(98))))
                .isEqualTo(fresh("by both"));
        assertThat(transactions.execute(TRANSFER, other, TransactionItems.of("again", accounts.adding(account, 5))))
                .isEqualTo(replayed("by both"));
        assertThat(accounts.balance(account)).isEqualTo(5);
    }

    @Test
    void aKeyOfAnotherScopeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        transactions.execute(TRANSFER, new ClaimKey("acme", "other", "key"), TransactionItems.of("x")))
                .withMessageContaining("make the key with operation.key");
    }

    @Test
    void nullIsAResult() {
        Operation<@Nullable String> nothing = Operation.of("nothing", Codec.text());
        ClaimKey each = nothing.key("acme", account);
        assertThat(transactions.execute(nothing, each, new TransactionItems<>(null, items(1))))
                .isEqualTo(new Outcome.Succeeded<@Nullable String>(null, false));
        assertThat(transactions.execute(nothing, each, new TransactionItems<>("again", items(1))))
                .isEqualTo(new Outcome.Succeeded<@Nullable String>(null, true));
        assertThat(accounts.balance(account + "-0")).isEqualTo(1);
    }
}
