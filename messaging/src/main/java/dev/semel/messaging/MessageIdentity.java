// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the key of a message. The functions are the user's, and may throw. */
record MessageIdentity<M>(
        String scope,
        Function<? super M, ? extends @Nullable String> tenants,
        Function<? super M, ? extends @Nullable String> keys,
        Function<? super M, Fingerprint> fingerprints) {

    record Id(ClaimKey key, Fingerprint fingerprint) {}

    Id of(M message) {
        String tenant = Objects.requireNonNull(tenants.apply(message), "A message needs a tenant, but has none");
        String key = Objects.requireNonNull(keys.apply(message), "A message needs a key, but has none");
        return new Id(new ClaimKey(tenant, scope, key), fingerprints.apply(message));
    }
}
