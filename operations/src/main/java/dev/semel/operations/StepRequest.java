// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import dev.semel.payload.json.Json;
import dev.semel.payload.same.VolatileMembers;
import java.util.Objects;

/**
 * One step of one run of a workflow, with its input.
 *
 * @param leftOut what of the input changes from one delivery to the next without changing what is to be done
 */
public record StepRequest(
        String organization, String workflowRunId, String stepKey, Json input, VolatileMembers leftOut, Rules rules) {
    public StepRequest {
        KeyPart.organization(organization);
        KeyPart.check("A workflow run id", workflowRunId, KeyPart.MAX_ID);
        KeyPart.check("A step key", stepKey, KeyPart.MAX_ID);
        Objects.requireNonNull(input, "An input must not be null: JsonNull.NULL is the JSON null");
        Objects.requireNonNull(leftOut, "Volatile members must not be null: VolatileMembers.NONE are none");
        Objects.requireNonNull(rules, "Rules must not be null");
    }

    /** With the defaults: timestamps in the input do not count, and the result is kept for a day, sealed. */
    public static StepRequest of(String organization, String workflowRunId, String stepKey, Json input) {
        return new StepRequest(organization, workflowRunId, stepKey, input, VolatileMembers.TIMESTAMPS, Rules.STEP);
    }

    public StepRequest leavingOut(VolatileMembers members) {
        return new StepRequest(organization, workflowRunId, stepKey, input, members, rules);
    }

    public StepRequest with(Rules other) {
        return new StepRequest(organization, workflowRunId, stepKey, input, leftOut, other);
    }

    /** See {@link StepKey}. */
    public ClaimKey key() {
        return StepKey.of(organization, workflowRunId, stepKey, input, leftOut);
    }
}
