// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.payload.Keep;

/** The kind of a claim. It determines how the result is stored by default and how states are called in responses. */
enum ClaimKind {
    /** A claim by key. */
    KEY(ResultStorage.SEALED, ResultStorage.REDACTED, "claimed", "succeeded", "failed", "in_progress"),
    /** A claim by inputs. */
    INPUTS(ResultStorage.ALLOWED, ResultStorage.ALLOWED, "claimed", "succeeded", "failed", "in_progress"),
    /** A step of a workflow. */
    STEP(ResultStorage.SEALED, ResultStorage.REDACTED, "RUN", "DONE", "FAILED", "LOCKED"),
    /** A payment. */
    PAYMENT(ResultStorage.PAYMENT, ResultStorage.PAYMENT, "claimed", "duplicate", "failed", "in_progress");

    private final ResultStorage defaultStorage;
    private final ResultStorage sanitised;
    private final String claimed;
    private final String succeeded;
    private final String failed;
    private final String inProgress;

    ClaimKind(
            ResultStorage defaultStorage,
            ResultStorage sanitised,
            String claimed,
            String succeeded,
            String failed,
            String inProgress) {
        this.defaultStorage = defaultStorage;
        this.sanitised = sanitised;
        this.claimed = claimed;
        this.succeeded = succeeded;
        this.failed = failed;
        this.inProgress = inProgress;
    }

    /** Returns the default storage of results. */
    ResultStorage defaultStorage() {
        return defaultStorage;
    }

    /** Returns the storage of results for the client's choice. */
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
