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
 * Counts the new keys of claims. Every alias counts as a key, because it is a row of its own: also one that is given for a
 * claim that is known.
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

    /** Takes room for all keys of these claims; the problem if there is not as much. */
    Optional<ProblemDetail> tryTake(String tenant, List<RequestedClaim> requests) {
        return rate.tryTake(
                tenant,
                requests.stream().mapToInt(request -> request.given().size()).sum());
    }

    /**
     * Gives back what turned out not to be new.
     *
     * @param taken for each claim whether room was taken for its keys
     */
    void giveBack(String tenant, List<RequestedClaim> requests, List<ClaimOutcome> outcomes, List<Boolean> taken) {
        int all = 0;
        int used = 0;
        for (int i = 0; i < requests.size(); i++) {
            int keys = requests.get(i).given().size();
            int before = taken.get(i) ? keys : 0;
            all += before;
            // Aliases may have been linked to a claim that was there.
            used += ClaimVerdict.isNew(outcomes.get(i)) ? keys : Math.min(before, keys - 1);
        }
        rate.giveBack(tenant, all, used);
    }

    /** For each claim whether all of its keys are known. */
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
