// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.seal;

import dev.semel.internal.HmacSha256;
import dev.semel.key.Secret;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of tenants, ready for use. To derive them and to set ciphers up with them costs more than to encrypt a small
 * result.
 */
final class SealingKeys {
    /** A process rarely serves more tenants than this at a time. For further ones the keys are derived for every call. */
    static final int MAX_TENANTS = 1_000;

    private static final String PURPOSE = "seal";
    private static final String NONCE_PURPOSE = "seal-nonce";

    private final Map<Name, OfTenant> known = new ConcurrentHashMap<>();

    OfTenant of(Secret secret, String tenant) {
        Name name = new Name(secret.id(), tenant);
        OfTenant ready = known.get(name);
        if (ready != null) {
            return ready;
        }
        SecretKeySpec key = new SecretKeySpec(secret.subkey(PURPOSE, tenant), "AES");
        OfTenant derived = new OfTenant(new GcmCiphers(key), new HmacSha256(secret.subkey(NONCE_PURPOSE, tenant)));
        if (known.size() < MAX_TENANTS) {
            known.put(name, derived);
        }
        return derived;
    }

    private record Name(String secretId, String tenant) {}

    /** @param nonces makes the synthetic nonces */
    record OfTenant(GcmCiphers ciphers, HmacSha256 nonces) {}
}
