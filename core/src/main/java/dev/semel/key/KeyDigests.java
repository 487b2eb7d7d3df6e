// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import java.util.List;
import java.util.Objects;

/**
 * Names claims: HMAC-SHA256, by a subkey of the tenant's own, over length-prefixed mode, tenant, scope and key. Without
 * the secret, keys can be neither guessed nor recomputed from what a store holds.
 */
public final class KeyDigests {
    private static final String PURPOSE = "claim-digest";

    private final Secrets secrets;

    public KeyDigests(Secret secret) {
        this(Secrets.of(secret));
    }

    public KeyDigests(Secrets secrets) {
        this.secrets = Objects.requireNonNull(secrets, "Secrets must not be null");
    }

    /** Where the claim on this key is, by the current secret. */
    public ClaimRef refOf(Mode mode, ClaimKey key) {
        return refOf(secrets.current(), mode, key);
    }

    /** Where the claim on this key may be, by every live secret, the current one first. */
    public List<NamedRef> allOf(Mode mode, ClaimKey key) {
        return secrets.all().stream()
                .map(secret -> new NamedRef(refOf(secret, mode, key), secret.id()))
                .toList();
    }

    private static ClaimRef refOf(Secret secret, Mode mode, ClaimKey key) {
        byte[] subkey = secret.subkey(PURPOSE, key.tenant());
        byte[] digest = Hkdf.hmac(
                subkey, mode.tag(), Hkdf.prefixed(key.tenant()), Hkdf.prefixed(key.scope()), Hkdf.prefixed(key.key()));
        return new ClaimRef(key.tenant(), new Digest(digest));
    }

    /** Which secret new claims are made by. */
    public String secretId() {
        return secrets.current().id();
    }
}
