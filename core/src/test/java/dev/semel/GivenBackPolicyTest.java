// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Terms;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A new caller with a stricter policy takes a lapsed claim over, and gives it back before its work begins. */
@EngineTest
class GivenBackPolicyTest {
    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void thePolicyOfTheOwnerThatLapsedDecidesAgain() {
        engine.claimedElsewhere(CHARGE);
        engine.age(Duration.ofMinutes(10));
        Claim newcomers = engine.claimedElsewhere(Fingerprint.NONE, Terms.DEFAULT.withOnStale(StalePolicy.PARK));
        assertThat(newcomers.origin()).isEqualTo(Claim.Origin.LAPSED);

        TestEngine.get(engine.semel.giveBack(newcomers));

        assertThat(engine.claim(Fingerprint.NONE, Terms.DEFAULT)).isInstanceOf(ClaimOutcome.Granted.class);
    }
}
