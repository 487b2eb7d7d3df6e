// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import dev.semel.internal.Sha256;
import dev.semel.key.ColonJoined;
import dev.semel.payload.compare.VolatileMembers;
import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Makes the key of a workflow step. The tenant is the organization, the scope is {@code step:<run>:<step>}, and the key is
 * the SHA-256 of the canonical input without volatile members. The same step with another input has another key.
 *
 * <p>Colons and percent signs in run and step are percent-encoded. A scope that is too long is replaced by {@code
 * step:%sha256:<its hash>}. No run and step can produce this text, because a percent sign in them is always followed by 25
 * or 3A.
 */
public final class StepKey {
    private static final String PREFIX = "step";
    private static final String HASHED = PREFIX + ":%sha256:";

    private StepKey() {}

    /** The key of a step. The usual timestamps in its input are ignored. */
    public static ClaimKey of(String organization, String workflowRunId, String stepKey, Json input) {
        return of(organization, workflowRunId, stepKey, input, VolatileMembers.TIMESTAMPS);
    }

    /** As {@link #of(String, String, String, Json)}, ignoring other members of the input. */
    public static ClaimKey of(
            String organization, String workflowRunId, String stepKey, Json input, VolatileMembers leftOut) {
        return new ClaimKey(organization, scope(workflowRunId, stepKey), inputHash(input, leftOut));
    }

    /** The scope of a step with any input. */
    public static String scope(String workflowRunId, String stepKey) {
        String scope = ColonJoined.of(
                PREFIX,
                KeyPart.check("A workflow run id", workflowRunId, KeyPart.MAX_ID),
                KeyPart.check("A step key", stepKey, KeyPart.MAX_ID));
        return scope.length() <= ClaimKey.MAX_SCOPE
                ? scope
                : HASHED + Sha256.hex(scope.getBytes(StandardCharsets.UTF_8));
    }

    /** The SHA-256 of the canonical input without volatile members, in hexadecimal. */
    public static String inputHash(Json input, VolatileMembers leftOut) {
        Objects.requireNonNull(input, "An input must not be null: JsonNull.NULL is the JSON null");
        return Sha256.hex(leftOut.leftOutOf(input).canonical());
    }
}
