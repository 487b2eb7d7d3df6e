// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Stores claims. Three mandatory methods; the contract in the testkit specifies each of them.
 *
 * <pre>
 *                          ┌──┐ take over once the lease is over
 *               insert     ▼  │                     succeed
 *   (absent) ──────────▶ IN_PROGRESS ──┬──────────────────────────────▶ SUCCEEDED ──┐
 *       ▲                 │   ▲        │              fail                          │ TTL
 *       │                 │   │        ├──────────────────────────────▶ FAILED ─────┤ over
 *       │            park │   │        │     fail retryably, or                     │
 *       │                 │   │        └──── abandoned for a TTL ─────▶ RETRYABLE ──┤
 *       │                 ▼   │                                          │          │
 *       │             UNKNOWN └────────────────── take over ─────────────┘          │
 *       │                 │                                                         │
 *       │                 └──▶ settled by its owner or by an operator               │
 *       └──────────────────────────────── sweep ────────────────────────────────────┘
 * </pre>
 *
 * <p>Every arrow except insert and sweep is a compare-and-set on the owner's token. The store's own clock decides about
 * leases and expiry; callers pass durations only. Safe for use by many threads and many processes.
 *
 * <p>The answer of one call is bounded: all results together have at most {@link #MAX_RESULT_BYTES}. See {@link
 * #largestResult}.
 */
public interface ClaimStore {
    /** The maximum size of all results that one call about many claims returns, in bytes. */
    int MAX_RESULT_BYTES = 4 << 20;

    /** A result of at most this many bytes is never omitted, because a claim without it takes about as many. */
    int SMALL_RESULT = 1024;

    /**
     * The largest result that a call about this many claims returns. Larger ones are returned as {@link StoredResult#omitted}
     * and must not be loaded first. A call about one claim returns every result.
     *
     * @param claims the number of commands or references in the call
     */
    static int largestResult(int claims) {
        return claims <= 1 ? StoredResult.MAX_BYTES : Math.max(SMALL_RESULT, MAX_RESULT_BYTES / claims);
    }

    /**
     * Applies commands, each one atomically, and returns the verdicts in their order after the commit. Commands on one
     * reference take effect in the given order. Commands on different references may be reordered, even if aliases make them
     * one claim, and the batch need not be atomic. An insert with aliases is atomic over all of its digests.
     *
     * <p>A refused command returns the existing claim, with a result up to {@link #largestResult} of the number of commands. A
     * settlement that was applied before is recognized even if its result is larger.
     *
     * @throws StoreException if the effect of all of them is unknown; sending them again is safe
     */
    List<Verdict> apply(List<? extends Command> commands);

    /**
     * Reads the existing claims among these, as of one moment. For an alias, the answer is the record that it points to, or the
     * alias itself if there is no such record ({@link Snapshot#aliasOf}). Results are included up to {@link #largestResult} of
     * the number of references.
     *
     * @throws StoreException if the store does not answer
     */
    Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs);

    /**
     * Deletes expired rows, and changes rows whose lease ended a TTL ago to RETRYABLE, or to UNKNOWN under PARK: at most {@code
     * limit} of each. Never changes a claim that may be running, is UNKNOWN or must be reconciled. Aliases are deleted with the
     * record that they point to.
     *
     * @throws StoreException if the store does not answer
     */
    SweepReport sweep(int limit);

    /**
     * Whether the engine sends inserts in calls of their own, at the same time as calls with other commands. That is faster if
     * a call with both kinds needs a commit for each, and slower if one commit is enough for both. It has no influence on
     * verdicts.
     */
    default boolean commitsInsertsApart() {
        return false;
    }
}
