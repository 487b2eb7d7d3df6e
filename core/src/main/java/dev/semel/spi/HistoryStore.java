// SPDX-License-Identifier: Apache-2.0
package dev.semel.spi;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what a claim itself does not show: take-overs, conflicts, parks and the decisions of operators. Ordinary claims
 * and settlements write nothing here. Optional: stores that also implement {@link ClaimBrowser} may implement it.
 */
public interface HistoryStore {
    /** The maximum number of entries in one call. */
    int MAX_ENTRIES = 1_000;

    /**
     * Applies an operator's settlement and writes its entry, both or neither. The claim must still have the expected token,
     * and nobody may be working on it: it is UNKNOWN, or in progress with a lease that has ended. Sending the same decision
     * again is safe: the answer is {@link Verdict.Applied}, and there is one entry.
     *
     * @throws dev.semel.claim.StoreException if the effect is unknown; sending it again is safe
     */
    Verdict decide(Command.Settle decision, HistoryEntry entry);

    /** Adds entries. The store's clock sets their times. */
    void add(List<HistoryEntry> entries);

    /**
     * Adds to the numbers of replays of claims.
     *
     * @throws IllegalArgumentException if there are more than {@value #MAX_ENTRIES}
     */
    void addReplays(Map<ClaimRef, Long> replays);

    /** The approximate number of replays of a claim: callers add them with a delay. */
    long replays(ClaimRef ref);

    /** The entries of a claim, newest first. */
    List<HistoryEntry> history(ClaimRef ref, int limit);

    /**
     * The decisions about a tenant's claims, newest first.
     *
     * @param before only entries with a smaller id; null for the newest
     */
    List<HistoryEntry> decisions(String tenant, @Nullable Long before, int limit);

    /**
     * Deletes old entries, and the numbers of replays of claims that do not exist any more: at most {@code limit} of each.
     *
     * @param history the age at which entries other than decisions are deleted
     * @param decisions the age at which decisions are deleted; null to keep them
     * @return how many rows were deleted: entries and numbers of replays. Call again while it is not less than the limit
     */
    int purge(Duration history, @Nullable Duration decisions, int limit);

    /**
     * Checks that a settlement and its entry are one decision.
     *
     * @throws IllegalArgumentException if they are not
     */
    static void checkDecision(Command.Settle decision, HistoryEntry entry) {
        if (!entry.kind().isSettlement() || decision.status() == Status.UNKNOWN) {
            throw new IllegalArgumentException("A decision must release a claim, fail it or let it succeed");
        }
        if (!entry.ref().equals(decision.ref())) {
            throw new IllegalArgumentException("A decision and its entry must be about the same claim");
        }
    }

    /**
     * Checks how many claims are changed at once.
     *
     * @throws IllegalArgumentException if there are more than {@value #MAX_ENTRIES}
     */
    static void checkReplays(Map<ClaimRef, Long> replays) {
        if (replays.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException(
                    "Replays of up to %d claims can be added, but there are %d".formatted(MAX_ENTRIES, replays.size()));
        }
    }

    /**
     * Checks how many entries are read.
     *
     * @throws IllegalArgumentException if it is not 1 to {@value #MAX_ENTRIES}
     */
    static int checkLimit(int limit) {
        if (limit < 1 || limit > MAX_ENTRIES) {
            throw new IllegalArgumentException(
                    "1 to %d entries can be read, but %d were asked for".formatted(MAX_ENTRIES, limit));
        }
        return limit;
    }
}
