// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.content.Keep;

/**
 * How a claim was made. What of its result is stored follows from that, and in which words its state is told; it travels
 * in the claim's token.
 */
enum ResultKind {
    /** By key: all of it, redacted. */
    KEY("k", Keep.SANITISED, "claimed", "succeeded", "failed", "in_progress"),
    /** By inputs: what the allow-list names. */
    INPUTS("i", Keep.SANITISED, "claimed", "succeeded", "failed", "in_progress"),
    /** A workflow's step: all of it as it was, sealed. */
    STEP("s", Keep.SEALED, "RUN", "DONE", "FAILED", "LOCKED"),
    /** A payment: all of it, redacted. */
    PAYMENT("p", Keep.SANITISED, "claimed", "duplicate", "failed", "in_progress");

    private final String mark;
    private final Keep keep;
    private final String claimed;
    private final String succeeded;
    private final String failed;
    private final String inProgress;

    ResultKind(String mark, Keep keep, String claimed, String succeeded, String failed, String inProgress) {
        this.mark = mark;
        this.keep = keep;
        this.claimed = claimed;
        this.succeeded = succeeded;
        this.failed = failed;
        this.inProgress = inProgress;
    }

    String mark() {
        return mark;
    }

    Keep keep() {
        return keep;
    }

    String claimed() {
        return claimed;
    }

    String succeeded() {
        return succeeded;
    }

    String failed() {
        return failed;
    }

    String inProgress() {
        return inProgress;
    }
}
