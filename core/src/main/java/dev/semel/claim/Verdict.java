// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one command. No verdict is given before its commit. */
public sealed interface Verdict {
    /** It has taken effect; this is what the claim's owner does not know by itself. */
    record Applied(ClaimRef ref, RecordId record, int attempt, long fence, Duration leaseLeft) implements Verdict {}

    /** It has not, because of this claim; null if there is none. */
    record Refused(@Nullable Snapshot claim) implements Verdict {}

    /** It failed on its own, without harm to the other commands of its batch. */
    record Errored(StoreException cause) implements Verdict {}

    /** The verdict on a command that left this behind. */
    static Verdict of(Command command, @Nullable Snapshot after) {
        return after != null && command.holdsIn(after)
                ? new Applied(after.ref(), after.record(), after.attempt(), after.fence(), after.leaseLeft())
                : new Refused(after);
    }
}
