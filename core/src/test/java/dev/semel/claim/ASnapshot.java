// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import dev.semel.spi.Snapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Builds snapshots that differ only in what a test needs. */
public final class ASnapshot {
    public static final ClaimRef REF = new ClaimRef("acme", Digest.ofHex("0a".repeat(32)));

    private final Status status;
    private OwnerToken token = OwnerToken.random();
    private Fingerprint fingerprint = Fingerprint.NONE;
    private StalePolicy onStale = StalePolicy.RERUN;
    private Duration leaseLeft = Duration.ofMinutes(1);
    private boolean expired;
    private @Nullable StoredResult result;
    private @Nullable String reason;

    private ASnapshot(Status status) {
        this.status = status;
    }

    /** A snapshot of a claim in this state, with a minute of lease left. */
    public static ASnapshot that(Status status) {
        return new ASnapshot(status);
    }

    public ASnapshot ownedBy(OwnerToken value) {
        token = value;
        return this;
    }

    public ASnapshot of(Fingerprint value) {
        fingerprint = value;
        return this;
    }

    public ASnapshot onStale(StalePolicy value) {
        onStale = value;
        return this;
    }

    public ASnapshot leaseLeft(Duration value) {
        leaseLeft = value;
        return this;
    }

    public ASnapshot expired(boolean value) {
        expired = value;
        return this;
    }

    public ASnapshot with(@Nullable StoredResult newResult, @Nullable String newReason) {
        result = newResult;
        reason = newReason;
        return this;
    }

    public Snapshot build() {
        return new Snapshot(
                REF,
                "card.charge",
                status,
                token,
                RecordId.random(),
                fingerprint,
                3,
                17,
                onStale,
                leaseLeft,
                expired ? Duration.ZERO : null,
                result,
                reason);
    }
}
