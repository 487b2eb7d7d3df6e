// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import java.util.ArrayList;
import java.util.List;

/** Checks histories against the rules. It sees each event when it happens, or a whole history sorted by {@link HistoryEvent#at}. */
public final class HistoryChecker {
    private final Grants grants;
    private final List<Rule> rules;
    private final List<String> violations = new ArrayList<>();

    /** Checks the history of a store with an exact clock. */
    public HistoryChecker() {
        this(StoreClock.EXACT);
    }

    /** Checks the history of a store with this clock. */
    public HistoryChecker(StoreClock clock) {
        grants = new Grants(clock);
        rules = List.of(
                new ExclusiveLeases(grants),
                new RunsUnderLease(grants),
                new OneOwnerPerKey(grants),
                new FinalStaysFinal(grants),
                new AnswersAgree(grants),
                new AnswersAreStored(grants),
                new ParkedUntilDecided(grants),
                new ConflictsNeedAliases(),
                new SuccessNeedsRun(),
                new TokensUsedOnce(),
                new FencesGrow(),
                new AttemptsCountRuns(grants),
                new OnlyOwnersAct(grants),
                new ProbedBeforeRerun(grants),
                new RequestsMatch(grants),
                new AnswersExpire(grants),
                new WaitsAreBounded(),
                new QueuesAreBounded(),
                new EverythingSettles());
    }

    /** Checks the next event. */
    public void see(HistoryEvent event) {
        for (Rule rule : rules) {
            rule.see(event, what -> violated(rule, what, event));
        }
        grants.see(event);
    }

    /** Checks what must hold at the end, and returns everything that was wrong. Empty if nothing was. */
    public List<String> end() {
        for (Rule rule : rules) {
            rule.end(what -> violations.add(rule.getClass().getSimpleName() + ": " + what));
        }
        return List.copyOf(violations);
    }

    /** What was wrong so far. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    private void violated(Rule rule, String what, HistoryEvent event) {
        violations.add(rule.getClass().getSimpleName() + ": " + what + ", at " + event);
    }
}
