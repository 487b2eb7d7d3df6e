// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A replay cache outside of this process, which several instances fill. It also says for how much longer it keeps what
 * it found, so that a process that keeps a copy forgets it in time: see {@link TieredReplayCache}.
 */
public interface SharedReplayCache extends ReplayCache {
    /** As {@link #get}, with the time that is left. */
    CompletionStage<Optional<Found>> find(Key key);

    @Override
    default CompletionStage<Optional<Entry>> get(Key key) {
        return find(key).thenApply(found -> found.map(Found::entry));
    }

    /**
     * An entry, and what is left of its time.
     *
     * @param left counted from when the answer arrived, and never longer than the shared cache itself keeps it; zero if
     *     it may be used once but not be kept
     */
    record Found(Entry entry, Duration left) {
        public Found {
            Objects.requireNonNull(entry, "An entry must not be null");
            if (left.isNegative()) {
                throw new IllegalArgumentException("What is left of an entry's time must not be negative: " + left);
            }
        }
    }
}
