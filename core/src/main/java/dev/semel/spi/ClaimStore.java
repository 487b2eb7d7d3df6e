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
 * Where claims live. Three methods, all mandatory; the testkit's contract says what each must do.
 *
 * <pre>
 *               insert                              succeed
 *   (absent) ──────────▶ IN_PROGRESS ─────────────────────────────────▶ SUCCEEDED ─┐
 *       ▲                 │  ▲   │ ▲        fail                                   │ TTL
 *       │                 │  │   │ └──┐  ┌─────────────────────────────▶ FAILED ────┤ over
 *       │            park │  │   │    │  │     fail retryably, or                   │
 *       │                 │  │   └────┼──┴──── abandoned for a TTL ───▶ RETRYABLE ──┤
 *       │                 ▼  │        │                                   │         │
 *       │             UNKNOWN│        └───────────── take over ◀──────────┘         │
 *       │                 │  └─ take over once the lease is over ─┘                 │
 *       │                 └──▶ settled by its owner or by an operator               │
 *       └──────────────────────────────────────────────────────────────── sweep ◀───┘
 * </pre>
 *
 * <p>Every arrow but the first and the last is a compare-and-set on the owner's token. The store's own clock decides
 * about leases and expiry, and callers hand in durations only. Safe for use by many threads and many processes.
 *
 * <p>What one call returns is bounded: the results of all claims together have at most {@link #MAX_RESULT_BYTES}. See {@link
 * #largestResult}.
 */
public interface ClaimStore {
    /** The most bytes of results that one call about many claims returns. */
    int MAX_RESULT_BYTES = 4 << 20;

    /** A result of no more bytes than this is never left out: a claim takes about as many without it. */
    int SMALL_RESULT = 1024;

    /**
     * The largest result that a call about so many claims returns. Larger ones are left out, and shown as {@link
     * StoredResult#omitted}; they must not be loaded first. A call about one claim returns every result whole.
     *
     * @param claims how many commands, or references, the call was made with
     */
    static int largestResult(int claims) {
        return claims <= 1 ? StoredResult.MAX_BYTES : Math.max(SMALL_RESULT, MAX_RESULT_BYTES / claims);
    }

    /**
     * Applies commands, each one atomically, and answers in their order after the commit. Commands on one claim take
     * effect in the order given; commands on different references may be reordered, also where aliases make them one
     * claim, and the batch need not be atomic. An insert with aliases is atomic over all of them.
     *
     * <p>A claim that refuses a command is shown with a result up to {@link #largestResult} of the number of commands. A
     * settlement that was applied before is recognised whatever its size.
     *
     * @throws StoreException if it is not known for any of them; sending them again is safe
     */
    List<Verdict> apply(List<? extends Command> commands);

    /**
     * The claims that exist among these, as of one moment. Where an alias was asked for, the answer is the record that
     * it leads to, or the alias itself if that leads nowhere ({@link Snapshot#aliasOf}). They are shown with results up to
     * {@link #largestResult} of the number of references.
     *
     * @throws StoreException if the store does not answer
     */
    Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs);

    /**
     * Deletes settled rows whose time is over, and moves rows whose lease ended a TTL ago to RETRYABLE (to UNKNOWN
     * under PARK): at most {@code limit} of each. Never touches a claim that may be running, nor one that is UNKNOWN or
     * must be reconciled. Aliases go with the record that they lead to.
     *
     * @throws StoreException if the store does not answer
     */
    SweepReport sweep(int limit);
}
