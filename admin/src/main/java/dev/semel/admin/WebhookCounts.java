// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;

/**
 * What happened to a provider's webhooks since the process started.
 *
 * @param provider the configured name
 * @param processed events that were processed or stored
 * @param duplicates events that were processed before, or that another delivery is processing
 * @param failed events whose processing failed, or that the store could not take
 * @param invalid events that cannot be read or have no key
 * @param differing duplicates with other content than the processed event
 * @param refused deliveries whose signature could not be verified
 * @param unverified deliveries that were accepted without verification
 * @param replayed events that an operator processed again
 */
public record WebhookCounts(
        String provider,
        long processed,
        long duplicates,
        long failed,
        long invalid,
        long differing,
        long refused,
        long unverified,
        long replayed) {

    /** All events and refused deliveries. */
    public long received() {
        return processed + duplicates + failed + invalid + refused;
    }

    Json json() {
        return new JsonObject.Builder()
                .put("provider", new JsonString(provider))
                .put("received", JsonNumber.of(received()))
                .put("processed", JsonNumber.of(processed))
                .put("duplicates", JsonNumber.of(duplicates))
                .put("failed", JsonNumber.of(failed))
                .put("invalid", JsonNumber.of(invalid))
                .put("differing", JsonNumber.of(differing))
                .put("refused", JsonNumber.of(refused))
                .put("unverified", JsonNumber.of(unverified))
                .put("replayed", JsonNumber.of(replayed))
                .build();
    }
}
