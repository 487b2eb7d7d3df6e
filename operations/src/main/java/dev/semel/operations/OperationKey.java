// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.internal.HmacSha256;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.payload.json.Json;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * Derives the key of an operation from its inputs: HMAC-SHA256 over their canonical form, in hexadecimal. The HMAC key is
 * derived from the secret for the tenant and this purpose only, so that keys cannot be guessed, and equal inputs of two
 * tenants have unrelated keys.
 *
 * <p>Another secret makes another key of the same inputs. During a rotation the claim is therefore made with the key of the
 * current secret <em>and</em> the keys of all other active secrets as aliases, so that callers with an older secret find it.
 */
public final class OperationKey {
    private static final String PURPOSE = "operation-key";

    private OperationKey() {}

    /** The claim key of these inputs by the current secret, with those of all other active secrets as aliases. */
    public static AliasedKey of(Secrets secrets, String tenant, String scope, Json inputs) {
        byte[] canonical = canonical(inputs);
        List<ClaimKey> keys = secrets.all().stream()
                .map(secret -> new ClaimKey(tenant, scope, hmac(secret, tenant, canonical)))
                .toList();
        return new AliasedKey(keys.get(0), keys.subList(1, keys.size()));
    }

    /** The key of these inputs by one secret: 64 hexadecimal digits. */
    public static String compute(Secret secret, String tenant, Json inputs) {
        Objects.requireNonNull(tenant, "A tenant must not be null");
        return hmac(secret, tenant, canonical(inputs));
    }

    private static byte[] canonical(Json inputs) {
        return Objects.requireNonNull(inputs, "Inputs must not be null: JsonNull.NULL is the JSON null")
                .canonical();
    }

    private static String hmac(Secret secret, String tenant, byte[] canonical) {
        return HexFormat.of().formatHex(new HmacSha256(secret.subkey(PURPOSE, tenant)).of(canonical));
    }
}
