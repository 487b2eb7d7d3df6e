// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs deliveries like the providers. */
final class SignedWebhook {
    private SignedWebhook() {}

    /** Returns a Stripe-Signature header with the current time. */
    static String stripe(String secret, String body) {
        long now = System.currentTimeMillis() / 1_000;
        return "t=%d,v1=%s".formatted(now, hmac(secret, now + "." + body));
    }

    static String hmac(String secret, String content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
