// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Digest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Stores events and their claims in one transaction. A stored event is never stored again, and an acknowledged event is
 * never lost. The gate itself claims nothing and answers with the results of this sink.
 */
public non-sealed interface RecordingSink extends Sink {
    /**
     * The digest of the claim that the sink makes for an event, as shown in logs and answers. Empty if it equals the
     * engine's own digest of this key.
     *
     * @param provider the gate's name
     */
    default Optional<Digest> digestOf(String provider, ClaimKey key) {
        return Optional.empty();
    }

    /**
     * Stores the new events, each independently: an event that cannot be stored must not prevent the others.
     *
     * @param maxWait how long to wait for other callers that are storing the same event; less than the sender's timeout
     * @return one result for each event, in the same order
     */
    CompletionStage<List<EventResult>> record(List<RecordRequest> events, Duration maxWait);
}
