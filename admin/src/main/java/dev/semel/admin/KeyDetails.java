// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.spi.ClaimEntry;
import dev.semel.spi.HistoryEntry;
import java.util.List;
import java.util.Optional;

/**
 * A claim, what happened to it, and its result.
 *
 * @param history take-overs, conflicts, parks and decisions, newest first; not the claim and its settlement, which the claim
 *     itself shows
 * @param replays how often it was replayed, approximately
 * @param result the redacted result; empty if there is none
 */
public record KeyDetails(ClaimEntry claim, List<HistoryEntry> history, long replays, Optional<ShownResult> result) {
    public KeyDetails {
        history = List.copyOf(history);
    }
}
