// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.spi.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EngineTest
class AliasesTest {
    private static final ClaimKey EVENT = CHARGE.key("acme", "ev_1");
    private static final ClaimKey TRANSACTION = CHARGE.key("acme", "tx_9");
    private static final AliasedKey BOTH = EVENT.alsoKnownAs("tx_9");
    private static final Secret FIRST = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Secret SECOND = Secret.of("another secret of more than 32 bytes");

    private final TestEngine engine = new TestEngine();
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void close() {
        engine.close();
    }

    private String effect(String value) {
        effects.incrementAndGet();
        return value;
    }

    private Outcome<String> execute(AliasedKey key) {
        return engine.semel.execute(CHARGE, key, Fingerprint.NONE, run -> effect("paid"));
    }

    private Outcome<String> execute(ClaimKey key) {
        return engine.semel.execute(CHARGE, key, run -> effect("paid"));
    }

    @Test
    void theEffectHappensOnceUnderAnyOfTheKeys() {
        assertThat(execute(BOTH)).isEqualTo(new Outcome.Succeeded<>("paid", false));

        assertThat(execute(TRANSACTION)).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(execute(EVENT)).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(execute(TRANSACTION.alsoKnownAs("ev_1", "pkey_3"))).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(execute(CHARGE.key("acme", "pkey_3"))).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(effects).hasValue(1);
    }

    @Test
    void theEffectHappensOnceForAsynchronousCallersToo() {
        AsyncWork<String> work = run -> CompletableFuture.completedFuture(effect("paid"));
        TestEngine.get(engine.semel.executeAsync(CHARGE, BOTH, Fingerprint.NONE, work));

        assertThat(TestEngine.get(engine.semel.executeAsync(CHARGE, TRANSACTION, work)))
                .isEqualTo(new Outcome.Succeeded<>("paid", true));
    }

    @Test
    void anotherRequestUnderAnAliasIsAMismatch() {
        engine.semel.execute(CHARGE, BOTH, Fingerprint.of("10 EUR"), run -> effect("paid"));

        assertThat(engine.semel.execute(CHARGE, TRANSACTION, Fingerprint.of("11 EUR"), run -> effect("no")))
                .isInstanceOf(Outcome.Mismatch.class);
    }

    /** The child keys are those of the first attempt, and the settlement uses the reference of the record. */
    @Test
    void aFailureUnderOneKeyIsRetriedUnderTheOther() {
        List<String> childKeys = new ArrayList<>();
        engine.semel.execute(CHARGE, BOTH, Fingerprint.NONE, run -> {
            childKeys.add(run.childKey("charge"));
            throw new IOException("no");
        });

        Outcome<String> retried = engine.semel.execute(CHARGE, TRANSACTION, run -> {
            childKeys.add(run.childKey("charge"));
            assertThat(run.attempt()).isEqualTo(2);
            assertThat(run.stillMine()).isTrue();
            return effect("paid");
        });

        assertThat(retried).isEqualTo(new Outcome.Succeeded<>("paid", false));
        assertThat(childKeys.get(0)).isEqualTo(childKeys.get(1));
        assertThat(execute(EVENT)).isEqualTo(new Outcome.Succeeded<>("paid", true));
    }

    @Test
    void aWaiterUnderAnAliasGetsTheAnswer() throws Exception {
        Claim running = claim(BOTH);
        CompletableFuture<Outcome<String>> waiting = TestEngine.inBackground(() ->
                engine.semel.execute(CHARGE.waitingUpTo(Duration.ofSeconds(20)), TRANSACTION, run -> effect("no")));

        TestEngine.get(
                engine.semel.settle(running, Status.SUCCEEDED, Codec.text().encode("paid"), null));

        assertThat(TestEngine.get(waiting)).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(effects).hasValue(0);
    }

    private Claim claim(AliasedKey key) {
        return ((ClaimOutcome.Granted)
                        TestEngine.get(engine.semel.claim(key, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)))
                .claim();
    }

    /** Two callers of one process, each with an alias that the other does not know. The store has to link both. */
    @Test
    void aCallWithAnotherAliasDoesNotFollowTheOneThatRuns() {
        Operation<String> waiting = CHARGE.waitingUpTo(Duration.ofSeconds(20));
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> first =
                TestEngine.inBackground(() -> engine.semel.execute(waiting, BOTH, Fingerprint.NONE, held));
        held.context();
        CompletableFuture<Outcome<String>> second = engine.semel
                .executeAsync(
                        waiting,
                        EVENT.alsoKnownAs("pkey_3"),
                        Fingerprint.NONE,
                        run -> CompletableFuture.completedFuture(effect("again")))
                .toCompletableFuture();

        held.finish("paid");

        assertThat(TestEngine.get(first)).isEqualTo(new Outcome.Succeeded<>("paid", false));
        assertThat(TestEngine.get(second)).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(execute(CHARGE.key("acme", "pkey_3"))).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(effects).hasValue(0);
    }

    @Test
    void callsWithTheSameAliasesFollowTheOneThatRuns() {
        HeldWork held = new HeldWork();
        CompletableFuture<Outcome<String>> first =
                TestEngine.inBackground(() -> engine.semel.execute(CHARGE, BOTH, Fingerprint.NONE, held));
        held.context();

        assertThat(execute(BOTH)).isInstanceOf(Outcome.InProgress.class);

        assertThat(engine.store.commands()).hasSize(1);
        held.finish("paid");
        TestEngine.get(first);
    }

    @Test
    void anAliasNestedInItsOwnKeyIsRefused() {
        engine.semel.execute(CHARGE, BOTH, Fingerprint.NONE, run -> {
            assertThatThrownBy(() -> execute(TRANSACTION)).isInstanceOf(IllegalStateException.class);
            return "paid";
        });
        assertThat(effects).hasValue(0);
    }

    @Test
    void aKeyNestedInItsOwnAliasIsRefused() {
        engine.semel.execute(CHARGE, BOTH, Fingerprint.NONE, run -> {
            throw new IOException("no");
        });

        engine.semel.execute(CHARGE, TRANSACTION, run -> {
            assertThatThrownBy(() -> execute(EVENT)).isInstanceOf(IllegalStateException.class);
            return "paid";
        });
        assertThat(effects).hasValue(0);
    }

    @Test
    void aKeyNestedInItselfByAnAliasIsRefused() {
        engine.semel.execute(CHARGE, BOTH, Fingerprint.NONE, run -> {
            assertThatThrownBy(() -> execute(TRANSACTION.alsoKnownAs("ev_1")))
                    .isInstanceOf(IllegalStateException.class);
            return "paid";
        });
    }

    @Test
    void anExpiredClaimRunsAgainUnderAnyKey() {
        execute(BOTH);
        engine.clock.advance(CHARGE.terms().ttl().orElseThrow());

        assertThat(execute(TRANSACTION)).isEqualTo(new Outcome.Succeeded<>("paid", false));
        assertThat(effects).hasValue(2);
    }

    @Test
    void theSettledOneOfTwoConflictingClaimsAnswersAndTheConflictIsReportedOnce() {
        execute(EVENT);
        engine.semel.execute(CHARGE, TRANSACTION, run -> {
            throw new IOException("no");
        });

        assertThat(execute(BOTH)).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(effects).hasValue(1);
        assertThat(conflicts()).isEqualTo(1);
        assertThat(engine.memory
                        .find(engine.semel.refOf(TRANSACTION))
                        .orElseThrow()
                        .conflictsWith())
                .isEqualTo(engine.semel.refOf(EVENT));
    }

    @Test
    void aWaiterReportsAConflictOnce() throws Exception {
        Claim running = claim(AliasedKey.of(EVENT));
        Claim other = claim(AliasedKey.of(TRANSACTION));
        CompletableFuture<Outcome<String>> waiting = TestEngine.inBackground(() -> engine.semel.execute(
                CHARGE.waitingUpTo(Duration.ofSeconds(20)), BOTH, Fingerprint.NONE, run -> effect("no")));

        await().until(() -> conflicts() == 1);
        TestEngine.get(engine.semel.settle(other, Status.RETRYABLE, null, null));
        TestEngine.get(
                engine.semel.settle(running, Status.SUCCEEDED, Codec.text().encode("paid"), null));

        assertThat(TestEngine.get(waiting)).isEqualTo(new Outcome.Succeeded<>("paid", true));
        assertThat(conflicts()).isEqualTo(1);
    }

    private long conflicts() {
        return engine.journal.events().stream()
                .filter(event -> event.kind() == Kind.ALIAS_CONFLICT)
                .count();
    }

    @Test
    void withOneSecretAndNoAliasThereIsOneDigest() {
        execute(KEY);

        assertThat(engine.store.commands(Command.Insert.class))
                .singleElement()
                .satisfies(insert -> assertThat(insert.aliases()).isEmpty());
    }

    @Test
    void everyKeyHasADigestByEveryActiveSecret() {
        try (TestEngine rotating = new TestEngine(builder -> builder.secrets(Secrets.of(SECOND, FIRST)))) {
            rotating.semel.execute(CHARGE, BOTH, Fingerprint.NONE, run -> "paid");

            assertThat(rotating.store.commands(Command.Insert.class))
                    .singleElement()
                    .satisfies(insert -> {
                        assertThat(insert.refs()).hasSize(4).doesNotHaveDuplicates();
                        assertThat(insert.ref()).isEqualTo(rotating.semel.refOf(EVENT));
                        assertThat(insert.secretId()).isEqualTo(SECOND.id());
                        assertThat(insert.aliases())
                                .extracting(alias -> alias.secretId())
                                .containsExactlyInAnyOrder(FIRST.id(), SECOND.id(), FIRST.id());
                    });
        }
    }

    @Test
    void aClaimOfTheOldSecretIsFoundByTheNewOneAfterALookup() {
        execute(EVENT);
        Outcome<String> replayed = new Outcome.Succeeded<>("paid", true);

        assertThat(executeWith(Secrets.of(SECOND), CHARGE.key("acme", "never asked for")))
                .isEqualTo(new Outcome.Succeeded<>("paid", false));
        assertThat(executeWith(Secrets.of(SECOND, FIRST), EVENT)).isEqualTo(replayed);
        assertThat(executeWith(Secrets.of(SECOND), EVENT)).isEqualTo(replayed);
        assertThat(engine.memory.onlyFoundBy(FIRST.id())).isZero();
    }

    private Outcome<String> executeWith(Secrets secrets, ClaimKey key) {
        try (Semel semel =
                Semel.on(engine.memory).secrets(secrets).withoutSweep().build()) {
            return semel.execute(CHARGE, key, run -> effect("paid"));
        }
    }

    @Test
    void anAliasIsOfTheSameTenantAndScope() {
        assertThatThrownBy(() -> new AliasedKey(EVENT, List.of(CHARGE.key("globex", "tx_9"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same tenant and scope")
                .hasMessageContaining("alsoKnownAs");
        assertThatThrownBy(() -> new AliasedKey(EVENT, List.of(new ClaimKey("acme", "other", "tx_9"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EVENT.alsoKnownAs("ev_1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> EVENT.alsoKnownAs("1", "2", "3", "4", "5", "6", "7", "8", "9"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 8");
        Operation<String> other = Operation.of("other", Codec.text());
        assertThatThrownBy(() -> engine.semel.execute(other, BOTH, Fingerprint.NONE, run -> "no"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
