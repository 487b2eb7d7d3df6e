// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import java.util.List;

/** The steps of a secret's rotation. Processes of two neighbouring steps run at the same time. */
final class RotationSteps {
    static final Secret OLD = Secret.of("the old secret: 0123456789abcdef0123456789abcdef");
    static final Secret FRESH = Secret.of("the new secret: fedcba9876543210fedcba9876543210");

    static final int BEFORE = 0;
    static final int ADDED = 1;
    static final int PROMOTED = 2;
    static final int RETIRED = 3;

    static final List<Secrets> STEPS =
            List.of(Secrets.of(OLD), Secrets.of(OLD, FRESH), Secrets.of(FRESH, OLD), Secrets.of(FRESH));

    private RotationSteps() {}

    static List<TransactionalClaims> steps(JdbcClaimStore store) {
        return STEPS.stream()
                .map(secrets -> TransactionalClaims.on(store, secrets))
                .toList();
    }
}
