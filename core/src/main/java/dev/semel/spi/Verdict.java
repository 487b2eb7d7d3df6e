// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.RecordId;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of one command. No verdict is given before its commit. */
public sealed interface Verdict {
    /**
     * The command has taken effect. The values are those that the owner does not know itself.
     *
     * @param scope the claim's scope: who settles a claim that another process granted learns it here
     */
    record Applied(ClaimRef ref, String scope, RecordId record, int attempt, long fence, Duration leaseLeft)
            implements Verdict {}

    /**
     * The command had no effect because of this claim; null if there is none.
     *
     * @param conflict another record that one of the command's aliases leads to; see {@link AliasPlan.Conflict}
     */
    record Refused(@Nullable Snapshot claim, @Nullable ClaimRef conflict) implements Verdict {
        public Refused(@Nullable Snapshot claim) {
            this(claim, null);
        }
    }

    /** The command failed alone, without harm to the other commands of its batch. */
    record Errored(StoreException cause) implements Verdict {}

    /** The same verdict, with a result of more than this many bytes omitted from its claim. */
    default Verdict withResultUpTo(int most) {
        if (this instanceof Refused refused && refused.claim() != null) {
            StoredResult result = refused.claim().result();
            if (result != null && result.size() > most) {
                return new Refused(refused.claim().withResultUpTo(most), refused.conflict());
            }
        }
        return this;
    }

    /**
     * The verdict on a command after which the claim looks like this.
     *
     * @throws IllegalStateException if the claim's result was omitted and only it can tell ({@link
     *     Command#isUndecidedBy}): read the claim alone first
     */
    static Verdict of(Command command, @Nullable Snapshot after) {
        // The record of an alias belongs to another owner, and a pointer to no record belongs to none.
        return after != null && after.aliasOf() == null && after.ref().equals(command.ref()) && command.holdsIn(after)
                ? new Applied(
                        after.ref(), after.scope(), after.record(), after.attempt(), after.fence(), after.leaseLeft())
                : new Refused(after);
    }
}
