// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.claim.ClaimRef;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.ProblemDetail;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Counts the new keys of claims against the tenant's limit. Every alias counts as a key, because it is a row of its
 * own, even if it is added to a known claim.
 */
final class NewKeyLimit {
    private final ClaimSender sender;
    private final ClaimResults results;
    private final NewKeyRate rate;

    NewKeyLimit(ClaimSender sender, ClaimResults results, NewKeyRate rate) {
        this.sender = sender;
        this.results = results;
        this.rate = rate;
    }

    /** Takes room for all keys of these claims. Returns the problem if the limit is reached. */
    Optional<ProblemDetail> tryTake(String tenant, List<RequestedClaim> requests) {
        int count = 0;
        for (RequestedClaim request : requests) {
            count += request.givenCount();
        }
        return rate.tryTake(tenant, count);
    }

    /**
     * Gives back room for keys that were not new.
     *
     * @param taken for each claim whether room was taken for its keys
     */
    void giveBack(String tenant, List<RequestedClaim> requests, List<ClaimOutcome> outcomes, List<Boolean> taken) {
        int all = 0;
        int used = 0;
        for (int i = 0; i < requests.size(); i++) {
            int keys = requests.get(i).givenCount();
            int before = taken.get(i) ? keys : 0;
            all += before;
            // Aliases may have been added to an existing claim.
            used += ClaimVerdict.isNew(outcomes.get(i)) ? keys : Math.min(before, keys - 1);
        }
        rate.giveBack(tenant, all, used);
    }

    /** Returns for each claim whether all of its keys are known. */
    CompletionStage<List<Boolean>> areKnown(List<RequestedClaim> requests) {
        List<List<List<ClaimRef>>> places =
                requests.stream().map(results::refsOf).toList();
        List<ClaimRef> all =
                places.stream().flatMap(List::stream).flatMap(List::stream).toList();
        return sender.known(all)
                .thenApply(known -> places.stream()
                        .map(keys -> keys.stream().allMatch(key -> key.stream().anyMatch(known::contains)))
                        .toList());
    }
}
