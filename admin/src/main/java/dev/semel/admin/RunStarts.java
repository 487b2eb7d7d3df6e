// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.ClaimRef;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Remembers when work began, for the run times of claims that are settled in this process. The table has a fixed size, and each
 * claim has one place in it. If two running claims share a place, the later one keeps it, and the run time of the other is not
 * known: quantiles need no complete list, and this is the cheapest one.
 */
final class RunStarts {
    private static final int PLACES = 1 << 16;

    private final AtomicReferenceArray<Start> places = new AtomicReferenceArray<>(PLACES);

    void began(ClaimRef ref, long nanos) {
        places.setRelease(place(ref), new Start(ref, nanos));
    }

    /** When the work of this claim began, if it is known. It is forgotten then. */
    OptionalLong ended(ClaimRef ref) {
        int place = place(ref);
        Start start = places.getAcquire(place);
        if (start == null || !start.ref().equals(ref)) {
            return OptionalLong.empty();
        }
        places.compareAndSet(place, start, null);
        return OptionalLong.of(start.nanos());
    }

    private static int place(ClaimRef ref) {
        int hash = ref.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }

    private record Start(ClaimRef ref, long nanos) {}
}
