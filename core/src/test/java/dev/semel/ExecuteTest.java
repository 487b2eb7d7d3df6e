// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Snapshot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class ExecuteTest {
    private static final Duration MICROSECOND = Duration.ofNanos(1_000);

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void runsTheWorkOnceAndAnswersEveryoneWithItsResult() {
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void runsTheWorkOnTheCallersThread() {
        Outcome<String> outcome =
                engine.execute(CHARGE, run -> Thread.currentThread().toString());

        assertThat(outcome.orElseThrow()).isEqualTo(Thread.currentThread().toString());
    }

    @Test
    void leavesTheStoredFormBehind() {
        engine.execute(CHARGE, work);

        Snapshot stored = engine.stored();
        assertThat(stored.status()).isEqualTo(Status.SUCCEEDED);
        assertThat(stored.result())
                .isEqualTo(new StoredResult("text/plain", "receipt 1".getBytes(StandardCharsets.UTF_8)));
        assertThat(stored.scope()).isEqualTo("card.charge");
        assertThat(stored.reason()).isNull();
        assertThat(stored.attempt()).isEqualTo(1);
    }

    @Test
    void aDuplicateGetsACopyAndNeverTheFirstCallersObject() {
        Operation<byte[]> photo = Operation.of("photo", Codec.bytes());
        byte[] bytes = {1, 2, 3};

        byte[] first = engine.semel
                .execute(photo, photo.key("acme", "1"), run -> bytes)
                .orElseThrow();
        byte[] second = engine.semel
                .execute(photo, photo.key("acme", "1"), run -> bytes)
                .orElseThrow();

        assertThat(first).isSameAs(bytes);
        assertThat(second).isNotSameAs(bytes).containsExactly(1, 2, 3);
    }

    @Test
    void otherKeysTenantsAndScopesAreOtherWork() {
        Operation<String> refund = Operation.of("card.refund", Codec.text());
        engine.execute(CHARGE, work);

        engine.semel.execute(CHARGE, CHARGE.key("acme", "order-18"), work);
        engine.semel.execute(CHARGE, CHARGE.key("other", "order-17"), work);
        engine.semel.execute(refund, refund.key("acme", "order-17"), work);

        assertThat(runs).hasValue(4);
    }

    @Test
    void aResultIsReplayedForItsTtlAndNotLonger() {
        engine.execute(CHARGE, work);

        engine.clock.advance(Duration.ofHours(24).minus(MICROSECOND));
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));

        engine.clock.advance(MICROSECOND);
        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 2", false));
        assertThat(engine.stored().attempt()).isEqualTo(1);
    }

    @Test
    void aResultWithoutExpiryIsAlwaysReplayed() {
        Operation<String> forEver = CHARGE.withoutExpiry();
        engine.execute(forEver, work);

        engine.clock.advance(Duration.ofDays(365_000));

        assertThat(engine.execute(forEver, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    @Test
    void refusesAKeyOfAnotherOperation() {
        Operation<String> refund = Operation.of("card.refund", Codec.text());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.semel.execute(refund, KEY, work))
                .withMessage("The key's scope is card.charge, but the operation's is card.refund:"
                        + " make the key with operation.key(tenant, key)");
        assertThat(runs).hasValue(0);
    }
}
