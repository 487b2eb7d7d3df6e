// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class DuplicatesTest {
    private static final Fingerprint TEN_EUROS = Fingerprint.of("10 EUR");
    private static final Fingerprint TWENTY_EUROS = Fingerprint.of("20 EUR");

    @AutoClose
    private final TestEngine engine = new TestEngine();

    private final AtomicInteger runs = new AtomicInteger();
    private final Work<String> work = run -> "receipt " + runs.incrementAndGet();

    @Test
    void aDuplicateOfARunningCallReceivesTheRestOfTheLease() {
        engine.claimedElsewhere(CHARGE);
        engine.clock.advance(Duration.ofMinutes(1));

        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.InProgress<>(Duration.ofMinutes(4)));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aDuplicateOfARunningCallDoesNotChangeTheClaim() {
        Claim claim = engine.claimedElsewhere(CHARGE);

        engine.execute(CHARGE, work);

        assertThat(engine.stored().token()).isEqualTo(claim.token());
        assertThat(engine.stored().attempt()).isEqualTo(1);
    }

    @Test
    void theSameRequestIsReplayed() {
        execute(TEN_EUROS);

        assertThat(execute(TEN_EUROS)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch() {
        execute(TEN_EUROS);

        assertThat(execute(TWENTY_EUROS)).isEqualTo(new Outcome.Mismatch<>(TEN_EUROS));
        assertThat(runs).hasValue(1);
    }

    @Test
    void anotherRequestIsAMismatchWhileTheFirstStillRuns() {
        engine.claimedElsewhere(TEN_EUROS, CHARGE.terms());

        assertThat(execute(TWENTY_EUROS)).isEqualTo(new Outcome.Mismatch<>(TEN_EUROS));
        assertThat(execute(TEN_EUROS)).isInstanceOf(Outcome.InProgress.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aMismatchReturnsTheSketchOfTheFirstRequestWhileItRuns() {
        byte[] sketch = {1, 2, 3};
        Claim claim = engine.claimedElsewhere(TEN_EUROS.withSketch(sketch), CHARGE.terms());

        assertThat(earlier(TWENTY_EUROS.withSketch(new byte[] {9})).sketch()).isEqualTo(sketch);
        TestEngine.get(engine.semel.settle(claim, Status.SUCCEEDED, null, null));
        assertThat(earlier(TWENTY_EUROS).sketch()).isEqualTo(sketch);
    }

    @Test
    void aMismatchReturnsTheSketchOfTheLatestOwner() {
        engine.claimedElsewhere(TEN_EUROS.withSketch(new byte[] {1}), CHARGE.terms());
        engine.age(Duration.ofMinutes(5));
        engine.claimedElsewhere(TEN_EUROS.withSketch(new byte[] {2}), CHARGE.terms());
        assertThat(earlier(TWENTY_EUROS).sketch()).containsExactly(2);

        engine.age(Duration.ofMinutes(5));
        engine.claimedElsewhere(TEN_EUROS, CHARGE.terms());
        assertThat(earlier(TWENTY_EUROS).sketch()).isEmpty();
    }

    @Test
    void anotherRequestIsAMismatchAfterARetryableFailure() {
        engine.semel.execute(CHARGE, KEY, TEN_EUROS, run -> {
            throw new IllegalStateException("declined");
        });

        assertThat(execute(TWENTY_EUROS)).isEqualTo(new Outcome.Mismatch<>(TEN_EUROS));
        assertThat(execute(TEN_EUROS)).isEqualTo(new Outcome.Succeeded<>("receipt 1", false));
    }

    @Test
    void aCallerWithoutAFingerprintGetsTheExistingResult() {
        execute(TEN_EUROS);

        assertThat(engine.execute(CHARGE, work)).isEqualTo(new Outcome.Succeeded<>("receipt 1", true));
    }

    @Test
    void anExpiredKeyIsFreeForAnotherRequest() {
        execute(TEN_EUROS);
        engine.age(Duration.ofHours(24));

        assertThat(execute(TWENTY_EUROS)).isEqualTo(new Outcome.Succeeded<>("receipt 2", false));
        assertThat(execute(TEN_EUROS)).isEqualTo(new Outcome.Mismatch<>(TWENTY_EUROS));
    }

    private Fingerprint earlier(Fingerprint fingerprint) {
        return ((Outcome.Mismatch<String>) execute(fingerprint)).earlier();
    }

    private Outcome<String> execute(Fingerprint fingerprint) {
        return engine.semel.execute(CHARGE, KEY, fingerprint, work);
    }
}
