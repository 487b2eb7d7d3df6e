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
 * Keeps settled results so that their replays need no store. It may forget anything at any time: whatever is not here,
 * or not here in time, is asked of the store, which alone decides. The engine fills it only after the commit, only with
 * what can no longer change but by expiry or an operator, and under the store's epoch, which an operator's change moves
 * on. {@link ProcessReplayCache} is in memory; a {@link SharedReplayCache} goes behind it in a
 * {@link TieredReplayCache}.
 */
public interface ReplayCache {
    /** What is kept under this key. The engine waits for it for a few milliseconds; a failure counts as nothing found. */
    CompletionStage<Optional<Entry>> get(Key key);

    /** Keeps it, for no longer than this. Must not block; a failure is nobody's concern. */
    void put(Key key, Entry entry, Duration keepFor);

    /** The claim, in its epoch. */
    record Key(long epoch, ClaimRef ref) {
        public Key {
            Objects.requireNonNull(ref, "A reference must not be null");
        }

        // By hand, as those of ClaimRef.
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
     * How a claim was settled for good.
     *
     * @param fingerprint whose result it is, without its sketch; another fingerprint is the store's to judge and to explain
     */
    record Entry(
            Status status,
            Fingerprint fingerprint,
            @Nullable StoredResult result) {
        public Entry {
            if (status != Status.SUCCEEDED && status != Status.FAILED) {
                throw new IllegalArgumentException("Only what is settled for good may be kept, not " + status);
            }
            Objects.requireNonNull(fingerprint, "A fingerprint must not be null");
            // A mismatch is explained by what the store has: here a sketch would only take room.
            fingerprint = fingerprint.withSketch(new byte[0]);
            if (result != null && result.isOmitted()) {
                throw new IllegalArgumentException("A result that was left out of an answer cannot be kept");
            }
        }

        /** About how many bytes it takes. */
        public int size() {
            // Keys, objects and table slots come to a few hundred bytes around the result itself.
            return 512 + (result == null ? 0 : result.size());
        }
    }
}
