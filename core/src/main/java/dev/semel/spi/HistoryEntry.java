// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.internal.BoundedText;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a claim. It contains no key, no token and no content.
 *
 * @param id grows with every entry; 0 before it is stored
 * @param fence the claim's fence at that time; 0 if it is not known
 * @param attempt the claim's attempt at that time; 0 if it is not known
 * @param actor who decided; null if nobody did
 * @param reason why; null if no reason was given
 * @param details more facts, such as the JSON pointers that differed; null if there are none
 * @param at when it was stored, by the store's clock; {@link Instant#EPOCH} before
 */
public record HistoryEntry(
        long id,
        ClaimRef ref,
        String scope,
        Kind kind,
        long fence,
        int attempt,
        @Nullable String actor,
        @Nullable String reason,
        @Nullable String details,
        Instant at) {
    /** The maximum length of an actor's name, in characters. */
    public static final int MAX_ACTOR = 255;

    /** The maximum length of a reason, in characters. */
    public static final int MAX_REASON = Command.Settle.MAX_REASON;

    /** The maximum length of the details, in characters. */
    public static final int MAX_DETAILS = 1_024;

    /** What happened. */
    public enum Kind {
        /** Another caller acquired the claim because its owner's lease had ended. */
        TAKEN_OVER,
        /** The key was used for another request. */
        CONFLICT,
        /** The claim was settled as unknown. */
        PARKED,
        /** An operator decided that the next caller runs it again. */
        RELEASED,
        /** An operator decided that it failed. */
        DECIDED_FAILED,
        /** An operator decided that it succeeded. */
        DECIDED_SUCCEEDED,
        /** An operator decided that the claim's event is processed again. The claim itself stays as it is. */
        REPLAYED;

        /** Whether an operator decided it. */
        public boolean isDecision() {
            return this == REPLAYED || isSettlement();
        }

        /** Whether an operator's decision settled the claim. */
        public boolean isSettlement() {
            return this == RELEASED || this == DECIDED_FAILED || this == DECIDED_SUCCEEDED;
        }
    }

    public HistoryEntry {
        Objects.requireNonNull(ref, "An entry needs a claim");
        Objects.requireNonNull(kind, "An entry needs a kind");
        Objects.requireNonNull(at, "An entry needs a time");
        BoundedText.check("A scope", scope, ClaimKey.MAX_SCOPE);
        checkOptional("An actor", actor, MAX_ACTOR);
        checkOptional("A reason", reason, MAX_REASON);
        checkOptional("Details", details, MAX_DETAILS);
        if (kind.isDecision() && (actor == null || reason == null)) {
            throw new IllegalArgumentException("A decision needs an actor and a reason");
        }
    }

    /** An entry that is not stored yet and has no actor. */
    public static HistoryEntry of(Kind kind, ClaimRef ref, String scope, int attempt, @Nullable String details) {
        return new HistoryEntry(0, ref, scope, kind, 0, attempt, null, null, details, Instant.EPOCH);
    }

    /** The entry of a claim that a sweep parks. It is not stored yet. */
    public static HistoryEntry parked(ClaimRef ref, String scope, long fence, int attempt, String reason) {
        return new HistoryEntry(0, ref, scope, Kind.PARKED, fence, attempt, null, reason, null, Instant.EPOCH);
    }

    /** A decision that is not stored yet. */
    public static HistoryEntry decision(Kind kind, ClaimEntry claim, String actor, String reason) {
        return new HistoryEntry(
                0,
                claim.ref(),
                claim.scope(),
                kind,
                claim.fence(),
                claim.attempt(),
                actor,
                reason,
                null,
                Instant.EPOCH);
    }

    /**
     * A replay that is not stored yet.
     *
     * @param details what is replayed
     */
    public static HistoryEntry replay(ClaimRef ref, String scope, String actor, String reason, String details) {
        return new HistoryEntry(0, ref, scope, Kind.REPLAYED, 0, 0, actor, reason, details, Instant.EPOCH);
    }

    /** This entry as it is stored. */
    public HistoryEntry stored(long newId, Instant now) {
        return new HistoryEntry(newId, ref, scope, kind, fence, attempt, actor, reason, details, now);
    }

    private static void checkOptional(String what, @Nullable String text, int max) {
        if (text != null) {
            BoundedText.check(what, text, max);
        }
    }
}
