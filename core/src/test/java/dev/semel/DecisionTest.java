// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.claim.StalePolicy.PARK;
import static dev.semel.claim.StalePolicy.RECONCILE;
import static dev.semel.claim.StalePolicy.RERUN;
import static dev.semel.claim.Status.FAILED;
import static dev.semel.claim.Status.IN_PROGRESS;
import static dev.semel.claim.Status.RETRYABLE;
import static dev.semel.claim.Status.SUCCEEDED;
import static dev.semel.claim.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.semel.claim.ASnapshot;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionTest {
    private static final Fingerprint MINE = Fingerprint.of("mine");
    private static final Fingerprint OTHER = Fingerprint.of("other");
    private static final StoredResult RESULT = new StoredResult("a/b", new byte[] {1});
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Decision LAPSED_AND_PARKED = unknown("the owner's lease ended");

    static Stream<Arguments> table() {
        return Stream.of(
                arguments(SUCCEEDED, RERUN, Duration.ZERO, answer(new ClaimOutcome.Succeeded(RESULT))),
                arguments(FAILED, RERUN, Duration.ZERO, answer(new ClaimOutcome.Failed(RESULT))),
                arguments(RETRYABLE, RERUN, Duration.ZERO, new Decision.TakeOver(Claim.Origin.RETRY)),
                arguments(RETRYABLE, RECONCILE, Duration.ZERO, new Decision.TakeOver(Claim.Origin.RETRY)),
                arguments(RETRYABLE, PARK, Duration.ZERO, new Decision.TakeOver(Claim.Origin.RETRY)),
                arguments(UNKNOWN, RERUN, Duration.ZERO, unknown("why")),
                arguments(UNKNOWN, PARK, Duration.ZERO, unknown("why")),
                arguments(IN_PROGRESS, RERUN, MINUTE, answer(new ClaimOutcome.InProgress(MINUTE))),
                arguments(IN_PROGRESS, RECONCILE, MINUTE, answer(new ClaimOutcome.InProgress(MINUTE))),
                arguments(IN_PROGRESS, PARK, MINUTE, answer(new ClaimOutcome.InProgress(MINUTE))),
                arguments(IN_PROGRESS, RERUN, Duration.ZERO, new Decision.TakeOver(Claim.Origin.LAPSED)),
                arguments(IN_PROGRESS, RECONCILE, Duration.ZERO, new Decision.TakeOver(Claim.Origin.RECONCILE)),
                arguments(IN_PROGRESS, PARK, Duration.ZERO, LAPSED_AND_PARKED));
    }

    @ParameterizedTest
    @MethodSource("table")
    void theSameRequestIsDecidedByStatusLeaseAndPolicy(
            Status status, StalePolicy policy, Duration leaseLeft, Decision expected) {
        assertThat(Decision.about(claim(status, policy, leaseLeft).of(MINE).build(), MINE))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("table")
    void anotherRequestIsAMismatchWhateverTheState(Status status, StalePolicy policy, Duration leaseLeft) {
        assertThat(Decision.about(claim(status, policy, leaseLeft).of(OTHER).build(), MINE))
                .isEqualTo(answer(new ClaimOutcome.Mismatch(OTHER)));
    }

    @Test
    void aMismatchShowsTheSketchOfTheEarlierRequest() {
        Fingerprint earlier = OTHER.withSketch(new byte[] {1, 2});

        assertThat(Decision.about(ASnapshot.that(IN_PROGRESS).of(earlier).build(), MINE))
                .isInstanceOfSatisfying(
                        Decision.Answer.class,
                        answer -> assertThat(((ClaimOutcome.Mismatch) answer.outcome())
                                        .earlier()
                                        .sketch())
                                .containsExactly(1, 2));
    }

    @ParameterizedTest
    @MethodSource("table")
    void anExpiredClaimCountsAsAbsentWhateverTheRequest(Status status, StalePolicy policy, Duration leaseLeft) {
        ASnapshot expired = claim(status, policy, leaseLeft).expired(true);

        assertThat(Decision.about(expired.of(MINE).build(), MINE)).isEqualTo(new Decision.TakeOver(Claim.Origin.FIRST));
        assertThat(Decision.about(expired.of(OTHER).build(), MINE))
                .isEqualTo(new Decision.TakeOver(Claim.Origin.FIRST));
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void withoutAFingerprintNothingIsAMismatch(Status status) {
        ASnapshot claim = claim(status, RERUN, MINUTE);

        assertThat(Decision.about(claim.of(OTHER).build(), Fingerprint.NONE))
                .isNotEqualTo(answer(new ClaimOutcome.Mismatch(OTHER)));
        assertThat(Decision.about(claim.of(Fingerprint.NONE).build(), MINE))
                .isNotEqualTo(answer(new ClaimOutcome.Mismatch(Fingerprint.NONE)));
    }

    @Test
    void aClaimParkedWithoutAReasonIsJustParked() {
        assertThat(Decision.about(ASnapshot.that(UNKNOWN).build(), MINE)).isEqualTo(unknown("parked"));
    }

    private static ASnapshot claim(Status status, StalePolicy policy, Duration leaseLeft) {
        return ASnapshot.that(status).onStale(policy).leaseLeft(leaseLeft).with(RESULT, "why");
    }

    private static Decision answer(ClaimOutcome outcome) {
        return new Decision.Answer(outcome);
    }

    private static Decision unknown(String reason) {
        return answer(new ClaimOutcome.Unknown(reason));
    }
}
