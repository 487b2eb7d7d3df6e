// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps settled results, so that their replays do not need the store. Entries may disappear at any time: if an entry is
 * missing or late, the store answers, and only the store decides. The engine adds entries only after the commit, only results
 * that can change by nothing except expiry or an operator, and under the store's epoch, which an operator's change advances.
 * {@link ProcessReplayCache} is in memory; {@link TieredReplayCache} puts a {@link SharedReplayCache} behind it.
 */
public interface ReplayCache {
    /** The entry of this key. The engine waits for it for a few milliseconds. A failure counts as no entry. */
    CompletionStage<Optional<Entry>> get(Key key);

    /** Keeps an entry for at most this time. Must not block. A failure has no consequence. */
    void put(Key key, Entry entry, Duration keepFor);

    /** A claim in an epoch. */
    record Key(long epoch, ClaimRef ref) {
        public Key {
            Objects.requireNonNull(ref, "A reference must not be null");
        }

        // Written by hand, as in ClaimRef.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && epoch == that.epoch && ref.equals(that.ref);
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(epoch) + ref.hashCode();
        }
    }

    /**
     * The permanent outcome of a claim.
     *
     * @param fingerprint the fingerprint of the request, without its sketch; for another one the store decides and explains
     */
    record Entry(
            Status status,
            Fingerprint fingerprint,
            @Nullable StoredResult result) {
        public Entry {
            if (status != Status.SUCCEEDED && status != Status.FAILED) {
                throw new IllegalArgumentException(
                        "Only permanently settled claims may be cached, but the status is " + status);
            }
            Objects.requireNonNull(fingerprint, "A fingerprint must not be null");
            // Mismatches are explained from the store, so a sketch would only take room here.
            fingerprint = fingerprint.withSketch(new byte[0]);
            if (result != null && result.isOmitted()) {
                throw new IllegalArgumentException("A result that was omitted from an answer cannot be cached");
            }
        }

        /** The approximate size in bytes. */
        public int size() {
            // Keys, objects and table slots add a few hundred bytes to the result.
            return 512 + (result == null ? 0 : result.size());
        }
    }
}
