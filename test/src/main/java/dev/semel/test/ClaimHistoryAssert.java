// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import org.assertj.core.api.AbstractAssert;

/** Assertions about what happened to claims. */
public final class ClaimHistoryAssert extends AbstractAssert<ClaimHistoryAssert, ClaimHistory> {
    ClaimHistoryAssert(ClaimHistory actual) {
        super(actual, ClaimHistoryAssert.class);
    }

    /** The work was started exactly once. */
    public ClaimHistoryAssert ranOnce() {
        return ran(1);
    }

    /** No work was started. */
    public ClaimHistoryAssert neverRan() {
        return ran(0);
    }

    /** The work was started this often; more than once after a crash or a retryable failure. */
    public ClaimHistoryAssert ran(int times) {
        isNotNull();
        return check("the work to run", times, actual.runs());
    }

    /** This many callers received the stored answer. */
    public ClaimHistoryAssert wasReplayed(int times) {
        isNotNull();
        return check("the answer to be replayed", times, actual.replays());
    }

    private ClaimHistoryAssert check(String what, int expected, long counted) {
        if (counted != expected) {
            failWithMessage("Expected %s %d times, but counted %d. Events: %s", what, expected, counted, actual);
        }
        return this;
    }
}
