// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.internal.HmacSha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the digests of claims: HMAC-SHA256 with a subkey for each tenant, over length-prefixed mode, tenant, scope and key.
 * Without the secret, keys cannot be guessed or recomputed from the contents of a store.
 */
public final class KeyDigests {
    private static final String PURPOSE = "claim-digest";

    /** A process rarely serves more tenants than this. For further ones a subkey is derived for every call. */
    private static final int MAX_SUBKEYS = 10_000;

    private final Secrets secrets;
    /** Initialized with its key: looking the algorithm up and setting it up costs more than a digest. */
    private final Map<List<String>, HmacSha256> subkeys = new ConcurrentHashMap<>();

    public KeyDigests(Secret secret) {
        this(Secrets.of(secret));
    }

    public KeyDigests(Secrets secrets) {
        this.secrets = Objects.requireNonNull(secrets, "Secrets must not be null");
    }

    /** The reference of the claim on this key by the current secret. */
    public ClaimRef refOf(ClaimMode mode, ClaimKey key) {
        return refOf(secrets.current(), mode, key);
    }

    /** The references of the claim on this key by every active secret, the current one first. */
    public List<KeyedRef> allOf(ClaimMode mode, ClaimKey key) {
        List<KeyedRef> refs = new ArrayList<>(secrets.all().size());
        secrets.all().forEach(secret -> refs.add(new KeyedRef(refOf(secret, mode, key), secret.id())));
        return refs;
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

    /** The id of the secret that new claims use. */
    public String secretId() {
        return secrets.current().id();
    }
}
