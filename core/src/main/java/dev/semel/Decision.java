// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.Fingerprint;
import dev.semel.spi.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The decision about an existing claim: answer from it, or try to take it over. A pure function in the order of the protocol:
 * an expired claim or a pointer without a record counts as absent, then mismatch, then status.
 */
sealed interface Decision {
    /** The claim answers. */
    record Answer(ClaimOutcome outcome) implements Decision {}

    /** The claim may be taken over. */
    record TakeOver(Claim.Origin origin) implements Decision {}

    static Decision about(Snapshot claim, Fingerprint fingerprint) {
        if (claim.absent()) {
            return new TakeOver(Claim.Origin.FIRST);
        }
        if (!claim.fingerprint().matches(fingerprint)) {
            return new Answer(new ClaimOutcome.Mismatch(claim.fingerprint()));
        }
        return switch (claim.status()) {
            case SUCCEEDED -> new Answer(new ClaimOutcome.Succeeded(claim.result()));
            case FAILED -> new Answer(new ClaimOutcome.Failed(claim.result()));
            case RETRYABLE -> new TakeOver(Claim.Origin.RETRY);
            case UNKNOWN -> new Answer(new ClaimOutcome.Unknown(orElse(claim.reason(), "parked")));
            case IN_PROGRESS -> aboutRunning(claim);
        };
    }

    private static Decision aboutRunning(Snapshot claim) {
        if (!claim.lapsed()) {
            return new Answer(new ClaimOutcome.InProgress(claim.leaseLeft()));
        }
        return switch (claim.onStale()) {
            case RERUN -> new TakeOver(Claim.Origin.LAPSED);
            case RECONCILE -> new TakeOver(Claim.Origin.RECONCILE);
            case PARK -> new Answer(new ClaimOutcome.Unknown("the owner's lease ended"));
        };
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null ? otherwise : text;
    }
}
