// SPDX-License-Identifier: Apache-2.0
package dev.semel.replay;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A replay cache outside this process, which several instances share. It also returns how long it still keeps an entry, so that
 * a copy in this process expires in time: see {@link TieredReplayCache}.
 */
public interface SharedReplayCache extends ReplayCache {
    /** As {@link #get}, with the time that the entry is kept. */
    CompletionStage<Optional<Found>> find(Key key);

    @Override
    default CompletionStage<Optional<Entry>> get(Key key) {
        return find(key).thenApply(found -> found.map(Found::entry));
    }

    /**
     * An entry, and how long it is still kept.
     *
     * @param left counted from when the answer arrived, and never longer than the shared cache keeps the entry; zero if the
     *     entry may be used once but not be kept
     */
    record Found(Entry entry, Duration left) {
        public Found {
            Objects.requireNonNull(entry, "An entry must not be null");
            if (left.isNegative()) {
                throw new IllegalArgumentException(
                        "The remaining time of an entry must not be negative, but is " + left);
            }
        }
    }
}
