// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.ClaimKey;
import dev.semel.internal.Sha256;
import dev.semel.key.Composed;
import dev.semel.payload.json.Json;
import dev.semel.payload.same.VolatileMembers;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The key of a workflow's step: tenant is the organization, scope {@code step:<run>:<step>}, key the SHA-256 of the
 * canonical input without what changes from one delivery to the next. The same step with another input is another one.
 *
 * <p>Colons and percent signs in run and step are percent-encoded. A scope that would be longer than a claim's may be is
 * replaced by {@code step:%sha256:<its hash>}, which no run and step can spell: a percent sign in them is always
 * followed by 25 or 3A.
 */
public final class StepKey {
    private static final String DOOR = "step";
    private static final String HASHED = DOOR + ":%sha256:";

    private StepKey() {}

    /** The key of a step; the usual timestamps in its input do not count. */
    public static ClaimKey of(String organization, String workflowRunId, String stepKey, Json input) {
        return of(organization, workflowRunId, stepKey, input, VolatileMembers.TIMESTAMPS);
    }

    /** As {@link #of(String, String, String, Json)}, with other members of the input that do not count. */
    public static ClaimKey of(
            String organization, String workflowRunId, String stepKey, Json input, VolatileMembers leftOut) {
        return new ClaimKey(organization, scope(workflowRunId, stepKey), inputHash(input, leftOut));
    }

    /** The scope of a step, whatever its input. */
    public static String scope(String workflowRunId, String stepKey) {
        String scope = Composed.of(
                DOOR,
                KeyPart.check("A workflow run id", workflowRunId, KeyPart.MAX_ID),
                KeyPart.check("A step key", stepKey, KeyPart.MAX_ID));
        return scope.length() <= ClaimKey.MAX_SCOPE
                ? scope
                : HASHED + Sha256.hex(scope.getBytes(StandardCharsets.UTF_8));
    }

    /** What the input is known by: SHA-256 in hexadecimal. */
    public static String inputHash(Json input, VolatileMembers leftOut) {
        Objects.requireNonNull(input, "An input must not be null: JsonNull.NULL is the JSON null");
        return Sha256.hex(leftOut.leftOutOf(input).canonical());
    }
}
