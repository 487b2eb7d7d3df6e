// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import dev.semel.payload.json.Json;
import java.util.Objects;

/**
 * A request to run an operation that is identified by its inputs. Equal inputs are the same operation.
 *
 * @param tenant the tenant that owns the operation
 * @param scope the name of the operation, such as {@code actionRequests.aiProposeCopy}
 * @param inputs the inputs. Text that a user typed must be hashed, see {@link Inputs#userText}
 * @param rules how long the claim is kept and how the result is stored
 */
public record OperationRequest(String tenant, String scope, Json inputs, OperationRules rules) {
    public OperationRequest {
        Objects.requireNonNull(inputs, "Inputs must not be null: JsonNull.NULL is the JSON null");
        Objects.requireNonNull(rules, "Rules must not be null");
        // Checked as parts of a key, so that an invalid value fails here.
        ClaimKey checked = new ClaimKey(tenant, scope, "any");
        tenant = checked.tenant();
        scope = checked.scope();
    }

    /** A request with the default rules: kept for 24 hours, taken over after 5 minutes, only customer-safe fields stored. */
    public static OperationRequest of(String tenant, String scope, Json inputs) {
        return new OperationRequest(tenant, scope, inputs, OperationRules.OPERATION);
    }

    /** As {@link #of(String, String, Json)}. */
    public static OperationRequest of(String tenant, String scope, Inputs inputs) {
        return of(tenant, scope, inputs.json());
    }

    /** See {@link OperationRules#ttlHours}. */
    public OperationRequest ttlHours(int hours) {
        return with(rules.ttlHours(hours));
    }

    /** See {@link OperationRules#staleTakeoverMinutes}. */
    public OperationRequest staleTakeoverMinutes(int minutes) {
        return with(rules.staleTakeoverMinutes(minutes));
    }

    public OperationRequest with(OperationRules other) {
        return new OperationRequest(tenant, scope, inputs, other);
    }
}
