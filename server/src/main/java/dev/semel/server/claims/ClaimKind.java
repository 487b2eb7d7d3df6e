// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.payload.Keep;

/** How a claim was made. How its result is stored follows from that, and in which words its state is told. */
enum ClaimKind {
    /** By key. */
    KEY(ResultStorage.SEALED, ResultStorage.REDACTED, "claimed", "succeeded", "failed", "in_progress"),
    /** By inputs. */
    INPUTS(ResultStorage.ALLOWED, ResultStorage.ALLOWED, "claimed", "succeeded", "failed", "in_progress"),
    /** A workflow's step. */
    STEP(ResultStorage.SEALED, ResultStorage.REDACTED, "RUN", "DONE", "FAILED", "LOCKED"),
    /** A payment. */
    PAYMENT(ResultStorage.PAYMENT, ResultStorage.PAYMENT, "claimed", "duplicate", "failed", "in_progress");

    private final ResultStorage usual;
    private final ResultStorage sanitised;
    private final String claimed;
    private final String succeeded;
    private final String failed;
    private final String inProgress;

    ClaimKind(
            ResultStorage usual,
            ResultStorage sanitised,
            String claimed,
            String succeeded,
            String failed,
            String inProgress) {
        this.usual = usual;
        this.sanitised = sanitised;
        this.claimed = claimed;
        this.succeeded = succeeded;
        this.failed = failed;
        this.inProgress = inProgress;
    }

    /** How a result is stored if nobody says otherwise. */
    ResultStorage usual() {
        return usual;
    }

    /** How a result is stored if the client says how. */
    ResultStorage stored(Keep keep) {
        return switch (keep) {
            case SANITISED -> sanitised;
            case SEALED -> ResultStorage.SEALED;
            case NONE -> ResultStorage.NONE;
        };
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
