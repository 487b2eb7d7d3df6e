// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.internal.HmacSha256;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names claims: HMAC-SHA256, by a subkey of the tenant's own, over length-prefixed mode, tenant, scope and key. Without
 * the secret, keys can be neither guessed nor recomputed from what a store holds.
 */
public final class KeyDigests {
    private static final String PURPOSE = "claim-digest";

    /** A process rarely serves more tenants than this; for those beyond it, a subkey is derived at every call. */
    private static final int MAX_SUBKEYS = 10_000;

    private final Secrets secrets;
    /** Each ready to go on from its key: finding an algorithm and setting it up costs more than a digest does. */
    private final Map<List<String>, HmacSha256> subkeys = new ConcurrentHashMap<>();

    public KeyDigests(Secret secret) {
        this(Secrets.of(secret));
    }

    public KeyDigests(Secrets secrets) {
        this.secrets = Objects.requireNonNull(secrets, "Secrets must not be null");
    }

    /** Where the claim on this key is, by the current secret. */
    public ClaimRef refOf(ClaimMode mode, ClaimKey key) {
        return refOf(secrets.current(), mode, key);
    }

    /** Where the claim on this key may be, by every live secret, the current one first. */
    public List<NamedRef> allOf(ClaimMode mode, ClaimKey key) {
        return secrets.all().stream()
                .map(secret -> new NamedRef(refOf(secret, mode, key), secret.id()))
                .toList();
    }

    private ClaimRef refOf(Secret secret, ClaimMode mode, ClaimKey key) {
        byte[] digest = subkey(secret, key.tenant())
                .of(mode.tag(), Hkdf.prefixed(key.tenant()), Hkdf.prefixed(key.scope()), Hkdf.prefixed(key.key()));
        return new ClaimRef(key.tenant(), new Digest(digest));
    }

    private HmacSha256 subkey(Secret secret, String tenant) {
        List<String> name = List.of(secret.id(), tenant);
        HmacSha256 known = subkeys.get(name);
        if (known != null) {
            return known;
        }
        HmacSha256 derived = new HmacSha256(secret.subkey(PURPOSE, tenant));
        if (subkeys.size() < MAX_SUBKEYS) {
            subkeys.put(name, derived);
        }
        return derived;
    }

    /** Which secret new claims are made by. */
    public String secretId() {
        return secrets.current().id();
    }
}
