// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.RecordId;
import dev.semel.webhooks.provider.EventKeys.Strength;
import dev.semel.webhooks.provider.Fragment;
import dev.semel.webhooks.provider.WebhookRequest;
import java.util.Optional;

/**
 * One readable event of a delivery, with the key to claim for it.
 *
 * @param prefix the 16 characters that identify the event in logs and answers
 */
record IncomingEvent(
        String provider,
        WebhookRequest request,
        boolean verified,
        Fragment fragment,
        AliasedKey key,
        Strength strength,
        Optional<ClaimKey> payment,
        Fingerprint fingerprint,
        String prefix) {

    /** The bytes that a sink receives for this event. The headers count, because they are copied for each event. */
    long weight() {
        return (long) fragment.size() + request.headers().size();
    }

    WebhookEvent event(int attempt, RecordId record) {
        return new WebhookEvent(provider, request, fragment, verified, attempt, record);
    }
}
