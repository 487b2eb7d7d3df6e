// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import static dev.semel.test.Bank.CHARGE;
import static dev.semel.test.Bank.ORDER;
import static dev.semel.test.SemelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.Fingerprint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every assertion holds for the outcomes that it names, and fails for all others. */
@SemelTest
class SemelAssertionsTest {
    private static final Operation<String> PERMANENT = CHARGE.classifyingFailures(failure -> FailureClass.FINAL);

    private final TestSemel semel;

    SemelAssertionsTest(TestSemel semel) {
        this.semel = semel;
    }

    @Test
    void everyAssertionTellsItsOutcomesFromOthers() {
        Map<String, Consumer<OutcomeAssert<String>>> assertions = Map.ofEntries(
                Map.entry("ranNow", OutcomeAssert::ranNow),
                Map.entry("isReplayed", OutcomeAssert::isReplayed),
                Map.entry("isSucceeded", OutcomeAssert::isSucceeded),
                Map.entry("hasValue", outcome -> outcome.hasValue("paid")),
                Map.entry("isRejectedWith", outcome -> outcome.isRejectedWith("NO_FUNDS")),
                Map.entry("hasDetails", outcome -> outcome.hasDetails(String.class, "5 EUR short")),
                Map.entry("isFailed", OutcomeAssert::isFailed),
                Map.entry("isRetryable", OutcomeAssert::isRetryable),
                Map.entry("isInProgress", OutcomeAssert::isInProgress),
                Map.entry("isMismatch", OutcomeAssert::isMismatch),
                Map.entry("isUnknown", OutcomeAssert::isUnknown),
                Map.entry("isUnavailable", OutcomeAssert::isUnavailable),
                Map.entry("isUnsettled", OutcomeAssert::isUnsettled));
        Map<Outcome<String>, Set<String>> holds = new LinkedHashMap<>();
        holds.put(new Outcome.Succeeded<>("paid", false), Set.of("ranNow", "isSucceeded", "hasValue"));
        holds.put(new Outcome.Succeeded<>("paid", true), Set.of("isReplayed", "isSucceeded", "hasValue"));
        holds.put(new Outcome.Succeeded<>("refunded", false), Set.of("ranNow", "isSucceeded"));
        holds.put(new Outcome.Succeeded<>(null, true), Set.of("isReplayed", "isSucceeded"));
        holds.put(rejected(), Set.of("ranNow", "isRejectedWith", "hasDetails"));
        holds.put(rejected(), Set.of("isReplayed", "isRejectedWith", "hasDetails"));
        holds.put(failed("order-18"), Set.of("ranNow", "isFailed"));
        holds.put(failed("order-18"), Set.of("isReplayed", "isFailed"));
        holds.put(new Outcome.Tombstone<>("too large"), Set.of("isReplayed"));
        holds.put(new Outcome.Retryable<>(new IllegalStateException()), Set.of("ranNow", "isRetryable"));
        holds.put(new Outcome.InProgress<>(CHARGE.terms().lease()), Set.of("isInProgress"));
        holds.put(new Outcome.Mismatch<>(Fingerprint.NONE), Set.of("isMismatch"));
        holds.put(new Outcome.Unknown<>("parked"), Set.of("isUnknown"));
        holds.put(new Outcome.Unknown<>("now", new IllegalStateException()), Set.of("ranNow", "isUnknown"));
        holds.put(new Outcome.Unavailable<>("down", null), Set.of("isUnavailable"));
        holds.put(new Outcome.Unsettled<>("paid", null, true, "lost"), Set.of("ranNow", "isUnsettled"));

        assertThat(holds).hasSize(16);
        holds.forEach((outcome, names) ->
                assertions.forEach((name, assertion) -> assertThat(passes(() -> assertion.accept(assertThat(outcome))))
                        .as("%s of %s", name, outcome)
                        .isEqualTo(names.contains(name))));
    }

    @Test
    void aFailedAssertionNamesWhatWasExpectedAndTheOutcome() {
        assertThatThrownBy(() -> assertThat(rejected()).isRejectedWith("EXPIRED"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the rejection EXPIRED")
                .hasMessageContaining("NO_FUNDS");
        assertThatThrownBy(() -> assertThat((Outcome<String>) null).isReplayed())
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aHistoryIsCountedExactly() {
        rejected();
        rejected();
        failed("order-18");
        failed("order-18");
        failed("order-18");

        assertThat(semel.history(ORDER)).ranOnce().wasReplayed(1);
        assertThat(semel.history()).ran(2).wasReplayed(3);
        assertThat(semel.history("another scope")).neverRan().wasReplayed(0);
        Stream.<Runnable>of(
                        () -> assertThat(semel.history(ORDER)).ran(0),
                        () -> assertThat(semel.history(ORDER)).ran(2),
                        () -> assertThat(semel.history(ORDER)).neverRan(),
                        () -> assertThat(semel.history(ORDER)).wasReplayed(0),
                        () -> assertThat(semel.history()).ranOnce())
                .forEach(wrong -> assertThat(passes(wrong)).isFalse());
    }

    @Test
    void aFailedAssertionAboutAHistoryListsTheEvents() {
        rejected();
        rejected();

        assertThatThrownBy(() -> assertThat(semel.history(ORDER)).ran(2))
                .hasMessageContaining("2 times, but counted 1")
                .hasMessageContaining("GRANTED#1")
                .hasMessageContaining("REPLAYED");
    }

    private Outcome<String> rejected() {
        return semel.semel().execute(CHARGE, ORDER, run -> run.reject("NO_FUNDS", "5 EUR short"));
    }

    private Outcome<String> failed(String order) {
        return semel.semel().execute(PERMANENT, PERMANENT.key("acme", order), run -> {
            throw new IllegalStateException("declined");
        });
    }

    private static boolean passes(Runnable assertion) {
        try {
            assertion.run();
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }
}
