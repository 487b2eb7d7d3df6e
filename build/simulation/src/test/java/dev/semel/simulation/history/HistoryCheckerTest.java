// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.simulation.history.HistoryEvent.Answer;
import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Conflicted;
import dev.semel.simulation.history.HistoryEvent.Crashed;
import dev.semel.simulation.history.HistoryEvent.Decided;
import dev.semel.simulation.history.HistoryEvent.Ended;
import dev.semel.simulation.history.HistoryEvent.Ending;
import dev.semel.simulation.history.HistoryEvent.Forgotten;
import dev.semel.simulation.history.HistoryEvent.GivenBack;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Held;
import dev.semel.simulation.history.HistoryEvent.Paused;
import dev.semel.simulation.history.HistoryEvent.Probed;
import dev.semel.simulation.history.HistoryEvent.Ran;
import dev.semel.simulation.history.HistoryEvent.Renewed;
import dev.semel.simulation.history.HistoryEvent.Settled;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule accepts what may happen and reports what may not. Leases last 100 here, and answers are kept for 1,000. */
class HistoryCheckerTest {
    /** How long results are kept. */
    private static final long KEPT = 1_000;

    private final HistoryChecker checker = new HistoryChecker();

    @Test
    void anOrdinaryHistoryBreaksNoRule() {
        succeeded(1);
        see(asked(2, 50, "a"), told(2, 51, Answer.SUCCEEDED, "v"));
        see(asked(3, 2_000, "a"), granted("t2", 2_001, "ref", "record2", 2_001, 1));
        see(new Ran(2_002, "p", 3, "record2", 2_001), ended(3, 2_003, "record2", 2_001, "w"));
        see(settled("t2", 2_004, Ending.SUCCEEDED), told(3, 2_005, Answer.SUCCEEDED, "w"));

        assertThat(checker.end()).isEmpty();
    }

    @Test
    void aClaimIsNotGrantedWhileItsLeaseLasts() {
        see(granted("t1", 10, "ref", "record", 10, 1), granted("t2", 109, "ref", "record", 109, 2));
        breaks("ExclusiveLeases");
    }

    @Test
    void aLeaseCanBeRenewedAndEnds() {
        see(granted("t1", 10, "ref", "record", 10, 1), new Renewed(90, 90, "p", "t1", 100));
        see(granted("t2", 150, "ref", "record", 150, 2));
        breaks("ExclusiveLeases");
    }

    @Test
    void aClaimThatWasGivenBackCanBeGrantedAtOnce() {
        see(granted("t1", 10, "ref", "record", 10, 1), new GivenBack(20, 20, "p", "t1"));
        see(granted("t2", 30, "ref", "record", 30, 1));

        assertThat(checker.end()).isEmpty();
    }

    @Test
    void anAttemptThatWasGivenBackDoesNotCount() {
        see(granted("t1", 10, "ref", "record", 10, 1), new GivenBack(20, 20, "p", "t1"));
        see(granted("t2", 30, "ref", "record", 30, 2));
        breaks("AttemptsCountRuns");
    }

    @Test
    void anAttemptWhoseOwnerDisappearedCounts() {
        see(granted("t1", 10, "ref", "record", 10, 1), granted("t2", 200, "ref", "record", 200, 1));
        breaks("AttemptsCountRuns");
    }

    @Test
    void onlyTheOwnerRenews() {
        see(granted("t1", 10, "ref", "record", 10, 1), granted("t2", 200, "ref", "record", 200, 2));
        see(new Renewed(210, 210, "p", "t1", 100));
        breaks("OnlyOwnersAct");
    }

    @Test
    void onlyTheOwnerGivesBack() {
        see(granted("t1", 10, "ref", "record", 10, 1), granted("t2", 200, "ref", "record", 200, 2));
        see(new GivenBack(210, 210, "p", "t1"));
        breaks("OnlyOwnersAct");
    }

    @Test
    void aClaimIsNotRenewedAfterItsSettlement() {
        succeeded(1);
        see(new Renewed(20, 20, "p", "t1", 100));
        breaks("OnlyOwnersAct");
    }

    @Test
    void workThatHasBegunIsNotGivenBack() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(new GivenBack(20, 20, "p", "t1"));
        breaks("OnlyOwnersAct");
    }

    @Test
    void aProbeIsAskedBeforeWorkRunsAgain() {
        see(asked(1, 1, "a"), reconciled("t1", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(asked(2, 190, "a"), reconciled("t2", 200, 2), new Ran(210, "p", 2, "record", 200));
        breaks("ProbedBeforeRerun");
    }

    @Test
    void aClaimThatWasGivenBackStillNeedsItsProbe() {
        see(asked(1, 1, "a"), reconciled("t1", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(reconciled("t2", 200, 2), new Probed(201, "p", "record", 200), new GivenBack(210, 210, "p", "t2"));
        see(asked(2, 290, "a"), reconciled("t3", 300, 2), new Ran(310, "p", 2, "record", 300));
        breaks("ProbedBeforeRerun");
    }

    @Test
    void workRunsAgainAfterAProbeOrAFailure() {
        see(asked(1, 1, "a"), reconciled("t1", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(asked(2, 190, "a"), reconciled("t2", 200, 2), new Probed(205, "p", "record", 200));
        see(new Ran(210, "p", 2, "record", 200), settled("t2", 220, Ending.RETRYABLE));
        see(asked(3, 290, "a"), reconciled("t3", 300, 3), new Ran(310, "p", 3, "record", 300));

        assertThat(checker.violations()).isEmpty();
    }

    @Test
    void theAnswerOfAnotherRequestIsNotTold() {
        see(asking(1, 1, "one"), granted("t1", 10, "one"), new Ran(11, "p", 1, "record", 10));
        see(ended(1, 12, "record", 10, "v"), settled("t1", 13, Ending.SUCCEEDED));
        see(asking(2, 20, "other"), told(2, 21, Answer.SUCCEEDED, "v"));
        breaks("RequestsMatch");
    }

    @Test
    void aClaimIsNotTakenOverForAnotherRequest() {
        see(granted("t1", 10, "one"), granted("t2", 200, "other"));
        breaks("RequestsMatch");
    }

    @Test
    void aMismatchNeedsAnotherRequest() {
        see(asking(1, 1, "one"), asking(2, 2, "one"), told(2, 3, Answer.MISMATCH, ""));
        breaks("RequestsMatch");
    }

    @Test
    void anotherRequestIsAMismatch() {
        see(asking(1, 1, "one"), asking(2, 2, "other"), told(2, 3, Answer.MISMATCH, ""));

        assertThat(checker.violations()).isEmpty();
    }

    @Test
    void anExpiredAnswerIsNotTold() {
        succeeded(1);
        see(asked(2, 1_014, "a"), told(2, 1_020, Answer.SUCCEEDED, "v"));
        breaks("AnswersExpire");
    }

    @Test
    void aCallThatAskedBeforeTheExpiryMayAnswerForALaterOne() {
        succeeded(1);
        see(asked(2, 1_000, "a"), asked(3, 1_014, "a"), told(3, 1_020, Answer.SUCCEEDED, "v"));

        assertThat(checker.violations()).isEmpty();
    }

    @Test
    void workDoesNotBeginAfterItsLease() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(110, "p", 1, "record", 10));
        breaks("RunsUnderLease");
    }

    @Test
    void workBeginsOnceForEachGrant() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(new Ran(12, "p", 1, "record", 10));
        breaks("RunsUnderLease");
    }

    @Test
    void aKeyHasOneOwnerWhicheverRecordLedToIt() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(asked(2, 2, "a", "b"), granted("t2", 20, "other", "record2", 20, 1), new Ran(21, "p", 2, "record2", 20));
        breaks("OneOwnerPerKey");
    }

    @Test
    void conflictingAliasesMayHaveTwoOwners() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(new Conflicted(12, "p", List.of("a", "b")), asked(2, 13, "a", "b"));
        see(granted("t2", 20, "other", "record2", 20, 1), new Ran(21, "p", 2, "record2", 20));

        assertThat(checker.violations()).isEmpty();
    }

    @Test
    void aKeyWithoutAliasesHasNoConflict() {
        see(new Conflicted(12, "p", List.of("a")));
        breaks("ConflictsNeedAliases");
    }

    @Test
    void aSettledClaimIsNotGrantedAgain() {
        succeeded(1);
        see(granted("t2", 50, "ref", "record", 50, 2));
        breaks("FinalStaysFinal");
    }

    @Test
    void onlyTheOwnerSettles() {
        see(granted("t1", 10, "ref", "record", 10, 1), granted("t2", 200, "ref", "record", 200, 2));
        see(settled("t1", 210, Ending.SUCCEEDED));
        breaks("FinalStaysFinal");
    }

    @Test
    void laterCallersAreToldTheSame() {
        succeeded(1);
        see(asked(2, 50, "a"), told(2, 51, Answer.UNKNOWN, ""));
        breaks("AnswersAgree");
    }

    @Test
    void aReadOfTwoKeysMayTellTheAnswerOfEither() {
        succeeded(1);
        see(reads(2, 50, "a", "b"), told(2, 51, Answer.FAILED, "given up after 1 attempts"));

        assertThat(checker.violations()).isEmpty();
    }

    @Test
    void aReadOfOneKeyTellsItsAnswer() {
        succeeded(1);
        see(reads(2, 50, "a"), told(2, 51, Answer.FAILED, "given up after 1 attempts"));
        breaks("AnswersAgree");
    }

    @Test
    void aCacheMayTellForAWhileWhatWasForgotten() {
        succeeded(1);
        see(new Forgotten(40, "operator", "ref", 100), asked(2, 50, "a"), told(2, 51, Answer.SUCCEEDED, "v"));

        assertThat(checker.end()).isEmpty();
    }

    /** The result could not be stored, or the engine gave up. That was forgotten, and another result was told since. */
    @Test
    void aCacheMayTellForAWhileWhatTheEngineSaid() {
        forgottenAndReplaced();
        see(asked(3, 80, "a"), told(3, 81, Answer.TOMBSTONE, ""));
        see(asked(4, 82, "a"), told(4, 83, Answer.FAILED, "given up after 1 attempts"));

        assertThat(checker.violations()).isEmpty();
    }

    /** The work ran for one key. A later caller named both. */
    @Test
    void aCacheMayTellForAWhileWhatTheEngineSaidAboutALinkedKey() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(ended(1, 12, "record", 10, "unstorable v"), settled("t1", 13, Ending.SUCCEEDED));
        see(told(1, 14, Answer.SUCCEEDED, "unstorable v"), asked(2, 15, "a", "b"), told(2, 16, Answer.TOMBSTONE, ""));
        see(new Forgotten(40, "operator", "ref", 100));
        see(asked(3, 50, "b"), granted("t3", 60, "ref2", "record2", 60, 1), new Ran(61, "p", 3, "record2", 60));
        see(ended(3, 62, "record2", 60, "w"), settled("t3", 63, Ending.SUCCEEDED), told(3, 64, Answer.SUCCEEDED, "w"));
        see(asked(4, 80, "b"), told(4, 81, Answer.TOMBSTONE, ""));
        assertThat(checker.violations()).isEmpty();

        see(asked(5, 101, "b"), told(5, 102, Answer.TOMBSTONE, ""));
        breaks("AnswersAgree");
    }

    /** Its owners were lost before they began to work. */
    @Test
    void aCacheMayTellForAWhileThatTheEngineGaveUpAClaimThatNeverRan() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), settled("t1", 13, Ending.FAILED));
        see(told(1, 14, Answer.FAILED, "given up after 1 attempts"), new Forgotten(40, "operator", "ref", 100));
        see(asked(2, 50, "b", "a"), granted("t2", 60, "ref2", "record2", 60, 1), new Ran(61, "p", 2, "record2", 60));
        see(ended(2, 62, "record2", 60, "w"), settled("t2", 63, Ending.SUCCEEDED), told(2, 64, Answer.SUCCEEDED, "w"));
        see(asked(3, 80, "a"), told(3, 81, Answer.FAILED, "given up after 1 attempts"));
        assertThat(checker.violations()).isEmpty();

        see(asked(4, 101, "a"), told(4, 102, Answer.FAILED, "given up after 1 attempts"));
        breaks("AnswersAgree");
    }

    @Test
    void nobodyIsToldLaterThatTheEngineGaveUp() {
        forgottenAndReplaced();
        see(asked(3, 101, "a"), told(3, 102, Answer.FAILED, "given up after 1 attempts"));
        breaks("AnswersAgree");
    }

    @Test
    void nobodyIsToldLaterThatAForgottenResultWasNotStored() {
        forgottenAndReplaced();
        see(asked(3, 101, "a"), told(3, 102, Answer.TOMBSTONE, ""));
        breaks("AnswersAgree");
    }

    /** Both returned nothing, for keys that are not linked. The later result is kept longer. */
    @Test
    void aValueThatTwoRunsReturnedIsKeptUntilTheFirstExpires() {
        see(asked(1, 1, "b"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(ended(1, 12, "record", 10, "v"), settled("t1", 13, Ending.SUCCEEDED));
        long expiry = 13 + KEPT;
        see(asked(2, expiry - 9, "a"), granted("t2", expiry - 8, "ref2", "record2", 60, 1));
        see(new Ran(expiry - 7, "p", 2, "record2", 60), ended(2, expiry - 6, "record2", 60, "v"));
        see(settled("t2", expiry - 5, Ending.SUCCEEDED), told(2, expiry - 4, Answer.SUCCEEDED, "v"));
        see(asked(3, expiry - 3, "b"), told(3, expiry - 2, Answer.SUCCEEDED, "v"));
        see(asked(4, expiry + 1, "b"), granted("t4", expiry + 2, "ref", "record4", 70, 1));
        see(new Ran(expiry + 3, "p", 4, "record4", 70));

        assertThat(checker.violations()).isEmpty();
    }

    private void forgottenAndReplaced() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(ended(1, 12, "record", 10, "unstorable v"), settled("t1", 13, Ending.SUCCEEDED));
        see(told(1, 14, Answer.SUCCEEDED, "unstorable v"), new Forgotten(40, "operator", "ref", 100));
        see(asked(2, 50, "a"), granted("t2", 60, "ref", "record2", 60, 1), new Ran(61, "p", 2, "record2", 60));
        see(ended(2, 62, "record2", 60, "w"), settled("t2", 63, Ending.SUCCEEDED), told(2, 64, Answer.SUCCEEDED, "w"));
    }

    @Test
    void aResultIsStoredBeforeItIsTold() {
        see(asked(1, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", 1, "record", 10));
        see(ended(1, 12, "record", 10, "v"), told(1, 13, Answer.SUCCEEDED, "v"));
        breaks("AnswersAreStored");
    }

    @Test
    void aResultComesFromARun() {
        see(asked(1, 1, "a"), told(1, 13, Answer.SUCCEEDED, "v"));
        breaks("SuccessNeedsRun");
    }

    @Test
    void aResultBelongsToItsKey() {
        succeeded(1);
        see(asked(2, 50, "b"), told(2, 51, Answer.SUCCEEDED, "v"));
        breaks("SuccessNeedsRun");
    }

    @Test
    void aParkedClaimWaitsForADecision() {
        see(granted("t1", 10, "ref", "record", 10, 1), settled("t1", 20, Ending.UNKNOWN));
        see(granted("t2", 30, "ref", "record", 30, 2));
        breaks("ParkedUntilDecided");
    }

    @Test
    void aDecisionReleasesAParkedClaim() {
        see(granted("t1", 10, "ref", "record", 10, 1), settled("t1", 20, Ending.UNKNOWN));
        see(new Decided(25, "operator", "ref", Ending.RETRYABLE, "released", 1_000));
        see(granted("t2", 30, "ref", "record", 30, 2));

        assertThat(checker.end()).isEmpty();
    }

    @Test
    void aTokenIsUsedOnce() {
        see(granted("t1", 10, "ref", "record", 10, 1), granted("t1", 500, "ref", "record2", 500, 1));
        breaks("TokensUsedOnce");
    }

    @Test
    void aFenceGrows() {
        see(granted("t1", 10, "ref", "record", 10, 1), granted("t2", 500, "ref", "record2", 10, 1));
        breaks("FencesGrow");
    }

    @Test
    void aCallerIsToldInTime() {
        see(asked(1, 1, "a"), told(1, 10_002, Answer.UNAVAILABLE, ""));
        breaks("WaitsAreBounded");
    }

    @Test
    void theTimeOfAPauseDoesNotCount() {
        see(asked(1, 1, "a"), new Paused(2, "p", 502), told(1, 10_002, Answer.UNAVAILABLE, ""));

        assertThat(checker.end()).isEmpty();
    }

    @Test
    void everyCallerIsToldSomething() {
        see(asked(1, 1, "a"));
        breaks("WaitsAreBounded");
    }

    @Test
    void aProcessThatCrashedTellsNothing() {
        see(asked(1, 1, "a"), new Crashed(2, "p"));

        assertThat(checker.end()).isEmpty();
    }

    @Test
    void queuesAreBounded() {
        see(new Held(1, "p", "events", 6, 5));
        breaks("QueuesAreBounded");
    }

    @Test
    void afterTheFaultsTheAnswerIsFinal() {
        see(new Asked(1, "p", 1, List.of("a"), "", 10_001, false, true), told(1, 2, Answer.IN_PROGRESS, ""));
        breaks("EverythingSettles");
    }

    /** A call about the key a that runs and succeeds with the value v. */
    private void succeeded(long call) {
        see(asked(call, 1, "a"), granted("t1", 10, "ref", "record", 10, 1), new Ran(11, "p", call, "record", 10));
        see(ended(call, 12, "record", 10, "v"), settled("t1", 13, Ending.SUCCEEDED));
        see(told(call, 14, Answer.SUCCEEDED, "v"));
    }

    private void see(HistoryEvent... events) {
        for (HistoryEvent event : events) {
            checker.see(event);
        }
    }

    private void breaks(String rule) {
        assertThat(checker.end()).isNotEmpty().anyMatch(violation -> violation.startsWith(rule + ":"));
    }

    private static Asked asked(long call, long at, String... keys) {
        return new Asked(at, "p", call, List.of(keys), "", at + 10_000, false, false);
    }

    private static Asked reads(long call, long at, String... keys) {
        return new Asked(at, "p", call, List.of(keys), "", at + 10_000, true, false);
    }

    private static Granted granted(String token, long at, String ref, String record, long fence, int attempt) {
        return new Granted(at, at, "p", token, ref, record, fence, attempt, 100, 1_000, false, false, "");
    }

    /** A grant of a claim that must be reconciled, with its time as the fence. */
    private static Granted reconciled(String token, long at, int attempt) {
        return new Granted(at, at, "p", token, "ref", "record", at, attempt, 100, 1_000, false, true, "");
    }

    /** A grant for a request, with its time as the fence. */
    private static Granted granted(String token, long at, String fingerprint) {
        return new Granted(at, at, "p", token, "ref", "record", at, 1, 100, 1_000, false, false, fingerprint);
    }

    private static Asked asking(long call, long at, String fingerprint) {
        return new Asked(at, "p", call, List.of("a"), fingerprint, at + 10_000, false, false);
    }

    private static Ended ended(long call, long at, String record, long fence, String value) {
        return new Ended(at, "p", call, record, fence, Ending.SUCCEEDED, value);
    }

    private static Settled settled(String token, long at, Ending ending) {
        return new Settled(at, at, "p", token, ending, KEPT, true);
    }

    private static Told told(long call, long at, Answer answer, String value) {
        return new Told(at, "p", call, answer, value);
    }
}
