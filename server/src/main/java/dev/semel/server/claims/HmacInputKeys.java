// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.content.json.Json;
import dev.semel.content.json.JsonObject;
import dev.semel.content.json.JsonString;
import dev.semel.key.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 over the canonical form, by the tenant's subkey. To be replaced by the one of the operations module once
 * that is there: it is the authority on both the derivation and on what white space is.
 */
public final class HmacInputKeys implements InputKeys {
    private static final String MEMBER = "userTextHash";
    private static final String JAVASCRIPT_SPACE =
            "[\\t\\n\\u000B\\f\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF]+";

    private final Secrets secrets;

    public HmacInputKeys(Secrets secrets) {
        this.secrets = secrets;
    }

    @Override
    public AliasedKey keyOf(String tenant, String scope, Json inputs) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secrets.current().subkey("operation-key", tenant), "HmacSHA256"));
            return AliasedKey.of(
                    new ClaimKey(tenant, scope, HexFormat.of().formatHex(mac.doFinal(inputs.canonical()))));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256", e);
        }
    }

    @Override
    public JsonObject withUserText(JsonObject inputs, String userText) {
        Map<String, Json> all = new LinkedHashMap<>(inputs.members());
        all.put(MEMBER, new JsonString(hash(userText)));
        return new JsonObject(all);
    }

    private static String hash(String text) {
        String normal = text.replaceAll(JAVASCRIPT_SPACE, " ");
        normal = normal.startsWith(" ") ? normal.substring(1) : normal;
        normal = normal.endsWith(" ") ? normal.substring(0, normal.length() - 1) : normal;
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(normal.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
