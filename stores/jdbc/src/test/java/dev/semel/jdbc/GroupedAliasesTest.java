// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Rows of a group that have aliases or a second claim in the same transaction. */
@ParameterizedClass
@EachDatabase
@Timeout(120)
class GroupedAliasesTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> EVENT = Operation.of("event", Codec.text());
    private static final Operation<String> PAYMENT = Operation.of("payment", Codec.text());
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private Effects effects;
    private TransactionalClaims claims;
    private GroupedClaims<String, String> group;
    private GroupedClaims<String, String> elsewhere;

    GroupedAliasesTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        claims = TransactionalClaims.on(database.store(4), SECRETS);
        effects = Effects.in(database);
        group = database.closing(GroupedClaims.on(claims, EVENT, Effects::addAll));
        elsewhere = database.closing(
                GroupedClaims.on(TransactionalClaims.on(database.store(4), SECRETS), EVENT, Effects::addAll));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private static AliasedKey key(String key, String... aliases) {
        return EVENT.key("acme", key).alsoKnownAs(aliases);
    }

    private static ClaimKey payment(String key) {
        return PAYMENT.key("acme", key);
    }

    private static GroupedClaims.Request<String> request(AliasedKey key, String row, ClaimKey payment) {
        return request(EVENT, PAYMENT, key, row, payment);
    }

    private static GroupedClaims.Request<String> request(
            Operation<String> event, Operation<String> paying, AliasedKey key, String row, ClaimKey payment) {
        return new GroupedClaims.Request<>(
                event,
                key,
                Fingerprint.NONE,
                row,
                payment == null ? null : new GroupedClaims.Second<>(paying, payment, "not " + row));
    }

    private static Outcome<String> submitted(
            GroupedClaims<String, String> to, AliasedKey key, String row, ClaimKey payment) {
        return to.submit(request(key, row, payment), row).toCompletableFuture().join();
    }

    @Test
    void aRowIsWrittenOnceByAnyOfItsKeys() {
        assertThat(submitted(group, key("ev", "tx"), "first", null)).isEqualTo(new Outcome.Succeeded<>("first", false));

        assertThat(submitted(group, key("tx"), "by alias", null)).isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(submitted(elsewhere, key("ev", "body"), "third key", null))
                .isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(submitted(group, key("body"), "by the third", null))
                .as("a duplicate adds its other keys as aliases")
                .isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(claims.inTransaction(EVENT, EVENT.key("acme", "tx"), (connection, run) -> "plain"))
                .isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
    }

    @Test
    void ownTermsAndScope() throws Exception {
        Operation<String> shortLived = Operation.of("other", Codec.text()).withTtl(Duration.ofMillis(1));
        AliasedKey key = AliasedKey.of(shortLived.key("acme", "ev"));
        group.submit(request(shortLived, PAYMENT, key, "first", null), "first")
                .toCompletableFuture()
                .join();
        submitted(group, key("ev"), "of the other scope", null);

        assertThat(group.submit(request(shortLived, PAYMENT, key, "after it expired", null), "after it expired")
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new Outcome.Succeeded<>("after it expired", false));
        assertThat(effects.counts()).hasSize(3);
    }

    @Test
    void theSecondClaimDecidesWhetherTheRowIsWritten() {
        assertThat(submitted(group, key("a"), "a", payment("p"))).isEqualTo(new Outcome.Succeeded<>("a", false));

        assertThat(submitted(elsewhere, key("b", "b2"), "b", payment("p")))
                .isEqualTo(new Outcome.Succeeded<>("not b", false));
        assertThat(submitted(group, key("b2"), "b", payment("p")))
                .as("settled, though not written")
                .isEqualTo(new Outcome.Succeeded<>("not b", true));
        assertThat(submitted(group, key("a"), "a again", payment("p"))).isEqualTo(new Outcome.Succeeded<>("a", true));
        assertThat(submitted(group, key("c"), "c", payment("q"))).isEqualTo(new Outcome.Succeeded<>("c", false));
        assertThat(effects.counts()).isEqualTo(Map.of("a", 1, "c", 1));
    }

    @Test
    void aSecondClaimThatHasExpiredIsFree() {
        Operation<String> shortLived = PAYMENT.withTtl(Duration.ofMillis(1));
        group.submit(request(EVENT, shortLived, key("a"), "a", payment("p")), "a")
                .toCompletableFuture()
                .join();

        assertThat(submitted(group, key("b"), "b", payment("p"))).isEqualTo(new Outcome.Succeeded<>("b", false));
        assertThat(effects.counts()).isEqualTo(Map.of("a", 1, "b", 1));
    }

    @Test
    void aSecondClaimThatFailedRetryablyIsTakenOver() throws SQLException {
        try (Connection connection = database.begin()) {
            claims.executeLeased(connection, PAYMENT, payment("p"), run -> {
                throw new SQLException("not yet");
            });
            connection.commit();
        }

        assertThat(submitted(group, key("a"), "a", payment("p"))).isEqualTo(new Outcome.Succeeded<>("a", false));
        assertThat(submitted(group, key("b"), "b", payment("p"))).isEqualTo(new Outcome.Succeeded<>("not b", false));
        assertThat(effects.counts()).isEqualTo(Map.of("a", 1));
    }

    @Test
    void aBadRowFailsAlone_andLeavesTheSecondClaimFree() {
        CompletableFuture<Outcome<String>> good =
                group.submit(request(key("good"), "good", payment("q")), "good").toCompletableFuture();
        Outcome<String> bad = submitted(group, key("bad", "alias"), "poison", payment("p"));

        assertThat(bad).isInstanceOf(Outcome.Retryable.class);
        assertThat(good.join()).isEqualTo(new Outcome.Succeeded<>("good", false));
        assertThat(submitted(group, key("another"), "another", payment("p")))
                .as("not paid yet")
                .isEqualTo(new Outcome.Succeeded<>("another", false));
        assertThat(submitted(group, key("alias"), "poison", payment("p")))
                .as("taken over by its alias; paid in the meantime")
                .isEqualTo(new Outcome.Succeeded<>("not poison", false));
        assertThat(effects.counts()).isEqualTo(Map.of("good", 1, "another", 1));
    }

    @Test
    void whileTheSecondClaimIsInProgressNothingIsStored() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        CompletableFuture<Outcome<String>> waiting;
        try (Connection connection = database.begin()) {
            claims.executeLeased(connection, PAYMENT, payment("p"), run -> "held");

            assertThat(submitted(group, key("a"), "a", payment("p"))).isInstanceOf(Outcome.InProgress.class);
            assertThat(submitted(group, key("a"), "a", payment("q")))
                    .as("the first claim was not kept")
                    .isEqualTo(new Outcome.Succeeded<>("a", false));
            waiting = group.submit(request(EVENT.waitingUpTo(MAX_WAIT), PAYMENT, key("b"), "b", payment("p")), "b")
                    .toCompletableFuture();
            connection.commit();
        }
        assertThat(waiting.join()).isEqualTo(new Outcome.Succeeded<>("not b", false));
        assertThat(effects.counts()).isEqualTo(Map.of("a", 1));
    }

    /** Events with two keys, in any order, for a few payments, over two instances: one row per payment. */
    @Test
    void underConcurrency_aPaymentIsWrittenOnce() {
        int payments = 12;
        List<Integer> sends = new ArrayList<>();
        for (int i = 0; i < 240; i++) {
            sends.add(i % (3 * payments));
        }
        Collections.shuffle(sends, new Random(7));
        List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
        for (int i = 0; i < sends.size(); i++) {
            int event = sends.get(i);
            String row = "payment-" + event % payments;
            AliasedKey names = i % 3 == 0
                    ? key("tx-" + event, "ev-" + event)
                    : i % 3 == 1 ? key("ev-" + event, "tx-" + event) : key("ev-" + event);
            GroupedClaims.Request<String> request =
                    request(EVENT.waitingUpTo(MAX_WAIT), PAYMENT, names, row, payment(row));
            answers.add((i % 2 == 0 ? group : elsewhere).submit(request, row).toCompletableFuture());
        }
        int written = 0;
        int refused = 0;
        for (CompletableFuture<Outcome<String>> answer : answers) {
            Outcome.Succeeded<String> done = (Outcome.Succeeded<String>) answer.join();
            if (!done.replayed()) {
                written += done.value().startsWith("payment-") ? 1 : 0;
                refused += done.value().startsWith("not ") ? 1 : 0;
            }
        }
        assertThat(effects.counts())
                .hasSize(payments)
                .allSatisfy((row, count) -> assertThat(count).as(row).isEqualTo(1));
        assertThat(written).isEqualTo(payments);
        assertThat(refused).isEqualTo(2 * payments);
    }
}
