// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.FailureClass;

/** Work that failed. Without a stack trace, because there are many. */
final class SimulatedFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final FailureClass failureClass;

    SimulatedFailure(String message, FailureClass failureClass) {
        super(message, null, false, false);
        this.failureClass = failureClass;
    }

    FailureClass failureClass() {
        return failureClass;
    }
}
