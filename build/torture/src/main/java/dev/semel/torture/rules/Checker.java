// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.ProcessHistory;
import java.util.ArrayList;
import java.util.List;

/** Checks a history against all rules. */
public final class Checker {
    /** All rules. */
    public static final List<HistoryRule> RULES = List.of(
            new OneRunPerLease(),
            new NoRunAfterSuccess(),
            new RunsHaveALease(),
            new AnswersStay(),
            new SuccessNeedsARun(),
            new TokensAreFresh(),
            new GrantedFencesGrow(),
            new EffectsAreCommittedOnce(),
            new PagesAreComplete(),
            new CallsAreBounded(),
            new NothingIsClaimedForNobody(),
            new GaugesStayInLimits(),
            new AttemptsThatRanCount(),
            new OnlyOwnersSettle(),
            new LostResultsAreNotTold(),
            new ExpiredResultsAreNotTold(),
            new SettlementsAreRepeated(),
            new RoundsSettle(),
            new NothingUnexpected());

    private Checker() {}

    /** All violations of all rules. */
    public static List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        RULES.forEach(rule -> found.addAll(rule.violations(history)));
        return found;
    }
}
