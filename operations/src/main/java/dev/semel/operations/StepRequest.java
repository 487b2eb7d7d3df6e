// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import dev.semel.payload.compare.VolatileMembers;
import dev.semel.payload.json.Json;
import java.util.Objects;

/**
 * A request to run one step of a workflow run.
 *
 * @param leftOut members of the input that may change between deliveries of the same step
 */
public record StepRequest(
        String organization,
        String workflowRunId,
        String stepKey,
        Json input,
        VolatileMembers leftOut,
        OperationRules rules) {
    public StepRequest {
        KeyPart.organization(organization);
        KeyPart.check("A workflow run id", workflowRunId, KeyPart.MAX_ID);
        KeyPart.check("A step key", stepKey, KeyPart.MAX_ID);
        Objects.requireNonNull(input, "An input must not be null: JsonNull.NULL is the JSON null");
        Objects.requireNonNull(leftOut, "Volatile members must not be null: use VolatileMembers.NONE");
        Objects.requireNonNull(rules, "Rules must not be null");
    }

    /** A request with the defaults: timestamps in the input are ignored, and the result is kept encrypted for one day. */
    public static StepRequest of(String organization, String workflowRunId, String stepKey, Json input) {
        return new StepRequest(
                organization, workflowRunId, stepKey, input, VolatileMembers.TIMESTAMPS, OperationRules.STEP);
    }

    public StepRequest leavingOut(VolatileMembers members) {
        return new StepRequest(organization, workflowRunId, stepKey, input, members, rules);
    }

    public StepRequest with(OperationRules other) {
        return new StepRequest(organization, workflowRunId, stepKey, input, leftOut, other);
    }

    /** See {@link StepKey}. */
    public ClaimKey key() {
        return StepKey.of(organization, workflowRunId, stepKey, input, leftOut);
    }
}
