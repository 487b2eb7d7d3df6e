// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/** The roles that may use an operation: {@code x-access} in openapi.yaml. */
enum Access {
    OPEN("client", "viewer", "operator"),
    USE("client", "operator"),
    LOOK("client", "viewer", "operator"),
    OPERATE("operator");

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable, but its type does not say so.
    private final Set<String> roles;

    Access(String... roles) {
        this.roles = Set.of(roles);
    }

    static Access of(String declared, Operation operation) {
        return Arrays.stream(values())
                .filter(access -> access.name().toLowerCase(Locale.ROOT).equals(declared))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "openapi.yaml must say x-access: open, use, look or operate for " + operation));
    }

    boolean allows(String role) {
        return roles.contains(role);
    }
}
