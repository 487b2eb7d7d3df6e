// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import dev.semel.payload.json.Json;
import java.util.Objects;

/**
 * An operation that is known by its inputs: equal inputs are one operation.
 *
 * @param tenant whose it is
 * @param scope what is done, by an explicit name such as {@code actionRequests.aiProposeCopy}
 * @param inputs what it is done with; never what a user typed, but its hash, see {@link Inputs#userText}
 * @param rules for how long, and in which form
 */
public record OperationRequest(String tenant, String scope, Json inputs, Rules rules) {
    public OperationRequest {
        Objects.requireNonNull(inputs, "Inputs must not be null: JsonNull.NULL is the JSON null");
        Objects.requireNonNull(rules, "Rules must not be null");
        // Checked as part of a key, so that a bad name fails here.
        ClaimKey checked = new ClaimKey(tenant, scope, "any");
        tenant = checked.tenant();
        scope = checked.scope();
    }

    /** With the default rules: kept for 24 hours, taken over after 5 minutes, only customer-safe fields stored. */
    public static OperationRequest of(String tenant, String scope, Json inputs) {
        return new OperationRequest(tenant, scope, inputs, Rules.OPERATION);
    }

    /** As {@link #of(String, String, Json)}. */
    public static OperationRequest of(String tenant, String scope, Inputs inputs) {
        return of(tenant, scope, inputs.json());
    }

    /** See {@link Rules#ttlHours}. */
    public OperationRequest ttlHours(int hours) {
        return with(rules.ttlHours(hours));
    }

    /** See {@link Rules#staleTakeoverMinutes}. */
    public OperationRequest staleTakeoverMinutes(int minutes) {
        return with(rules.staleTakeoverMinutes(minutes));
    }

    public OperationRequest with(Rules other) {
        return new OperationRequest(tenant, scope, inputs, other);
    }
}
