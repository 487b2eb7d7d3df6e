// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Stores events and their claims in one transaction, so that a stored event is never stored again, and one that was
 * acknowledged is never lost. The gate claims nothing itself and answers by what it is told.
 */
public non-sealed interface RecordingSink extends Sink {
    /**
     * The digest of the claim that the sink makes for an event, which logs and answers show. Empty if it is the engine's
     * own for this key.
     *
     * @param provider the gate's name
     */
    default Optional<Digest> digestOf(String provider, ClaimKey key) {
        return Optional.empty();
    }

    /**
     * Stores those that are new, each on its own: one that cannot be stored must not keep the others from it.
     *
     * @param patience for how long others who are at the same event may be waited for: the sender waits a little longer
     * @return what came of each, in their order
     */
    CompletionStage<List<Recorded>> record(List<RecordRequest> events, Duration patience);
}
