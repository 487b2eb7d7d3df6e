// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeds that found a defect of the engine or of a rule, which was mended. A change of the simulation changes what they mean, so each
 * defect has a test in its own module as well.
 */
class FoundSeedsTest {
    @ParameterizedTest
    @ValueSource(
            longs = {
                144_945, // CoalescingTest.aCallAfterTheQuestionIsNotToldThatTheOutcomeIsUnknown
                50_778_804, // HistoryCheckerTest.aReadOfTwoKeysMayTellTheAnswerOfEither
                50_852_296, // the same, with a result that the store had rejected
                72_558_586, // CoalescingTest.aCallAfterTheEndOfAnAnswerIsNotToldIt
                712_746_775, // HistoryCheckerTest.aCacheMayTellForAWhileWhatTheEngineSaid
                800_106_832, // the same, after the engine had given up
                970_552_871, // HistoryCheckerTest.aValueThatTwoRunsReturnedIsKeptUntilTheFirstExpires
                991_023_464, // HistoryCheckerTest.aCacheMayTellForAWhileWhatTheEngineSaidAboutALinkedKey
                992_058_010, // the same
                1_100_538_907, // HistoryCheckerTest.aCacheMayTellForAWhileThatTheEngineGaveUpAClaimThatNeverRan
            })
    void aSeedThatFoundADefectBreaksNoRule(long seed) {
        breaksNoRule(StoreKind.MEMORY, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {905}) // DynamoTimesTest.aClaimThatIsSentAgainLateHasNoLeaseLeft
    void aSeedThatFoundADefectOnDynamoDbBreaksNoRule(long seed) {
        breaksNoRule(StoreKind.DYNAMODB, seed);
    }

    private static void breaksNoRule(StoreKind kind, long seed) {
        SimulationReport report = Simulation.run(kind, seed, false);

        assertThat(report.violations()).as(report.message()).isEmpty();
    }
}
