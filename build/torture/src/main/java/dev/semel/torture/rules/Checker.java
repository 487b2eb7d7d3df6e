// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.History;
import java.util.ArrayList;
import java.util.List;

/** Checks a history against all rules. */
public final class Checker {
    /** All rules. */
    public static final List<Rule> RULES = List.of(
            new OneRunPerLease(),
            new NoRunAfterSuccess(),
            new RunsHaveALease(),
            new AnswersStay(),
            new SuccessNeedsARun(),
            new TokensAreFresh(),
            new FencesGrow(),
            new EffectsAreCommittedOnce(),
            new PagesAreComplete(),
            new WaitsAreBounded(),
            new NothingIsClaimedForNobody(),
            new GaugesStayInLimits(),
            new AttemptsThatRanCount(),
            new OnlyOwnersSettle(),
            new SettlementsAreRepeated(),
            new EverythingSettles(),
            new NothingUnexpected());

    private Checker() {}

    /** All violations of all rules. */
    public static List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        RULES.forEach(rule -> found.addAll(rule.violations(history)));
        return found;
    }
}
