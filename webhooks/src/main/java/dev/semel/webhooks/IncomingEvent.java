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
 * One event of a delivery that could be read.
 *
 * @param prefix the 16 characters by which logs and answers name it
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

    /** How many bytes it is handed on with: what it is an event of is copied for each. */
    long weight() {
        return (long) fragment.size() + request.headers().size();
    }

    WebhookEvent event(int attempt, RecordId record) {
        return new WebhookEvent(provider, request, fragment, verified, attempt, record);
    }
}
