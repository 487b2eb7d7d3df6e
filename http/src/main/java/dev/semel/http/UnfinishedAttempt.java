// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.FailureClass;

/** Informs the engine that an attempt ended without a final answer. Callers never see it. */
final class UnfinishedAttempt extends Exception {
    private static final long serialVersionUID = 1;

    private final transient SettledAnswer settled;
    private final FailureClass failureClass;

    UnfinishedAttempt(SettledAnswer settled, FailureClass failureClass) {
        super("An attempt ended as " + failureClass, null, false, false);
        this.settled = settled;
        this.failureClass = failureClass;
    }

    SettledAnswer settled() {
        return settled;
    }

    FailureClass failureClass() {
        return failureClass;
    }
}
