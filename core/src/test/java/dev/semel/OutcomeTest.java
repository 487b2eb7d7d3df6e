// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.semel.claim.Fingerprint;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomeTest {
    @Test
    void aSuccessHasAValueNowAndLater() {
        assertThat(new Outcome.Succeeded<>("receipt", false).orElseThrow()).isEqualTo("receipt");
        assertThat(new Outcome.Succeeded<>("receipt", true).orElseThrow()).isEqualTo("receipt");
    }

    static Stream<Arguments> others() {
        Exception cause = new IOException("cause");
        return Stream.of(
                arguments(
                        new Outcome.Tombstone<>("too large"),
                        "It was done before, but its result was not kept: too large",
                        null),
                arguments(
                        new Outcome.Failed<>(null, cause, false), "It failed permanently: java.io.IOException", cause),
                arguments(
                        new Outcome.Failed<>(null, null, true),
                        "It failed permanently before: no reason is stored",
                        null),
                arguments(new Outcome.Retryable<>(cause), "It failed; the next call runs it again", cause),
                arguments(new Outcome.InProgress<>(Duration.ofSeconds(90)), "It is in progress; retry in PT5S", null),
                arguments(
                        new Outcome.Mismatch<>(Fingerprint.of("earlier")),
                        "The key was already used for another request; use a new key for a new request",
                        null),
                arguments(new Outcome.Unknown<>("parked"), "It is unknown whether it happened: parked", null),
                arguments(
                        new Outcome.Unavailable<>("no answer", cause),
                        "The claim could not be made, and nothing ran: no answer",
                        cause),
                arguments(
                        new Outcome.Unsettled<>("receipt", null, true, "taken over"),
                        "It ran, but its outcome could not be stored: taken over",
                        null),
                arguments(
                        new Outcome.Unsettled<>(null, cause, false, "no answer"),
                        "It ran, but its outcome could not be stored: no answer",
                        cause));
    }

    @ParameterizedTest
    @MethodSource("others")
    void everythingElseIsAnException(Outcome<?> outcome, String message, @Nullable Throwable expected) {
        assertThatThrownBy(outcome::orElseThrow)
                .isInstanceOfSatisfying(NotDoneException.class, thrown -> {
                    assertThat(thrown.outcome()).isSameAs(outcome);
                    assertThat(thrown.getCause()).isSameAs(expected);
                })
                .hasMessage(message);
    }
}
