// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;

/** Signs deliveries like the providers. */
final class SignedWebhook {
    private SignedWebhook() {}

    /** Returns a Stripe-Signature header with the current time. */
    static String stripe(String secret, String body) {
        long now = System.currentTimeMillis() / 1_000;
        return "t=%d,v1=%s".formatted(now, hmac(secret, now + "." + body));
    }

    static String hmac(String secret, String content) {
        return Encoding.HEX.encode(
                Hmac.SHA256.of(secret.getBytes(StandardCharsets.UTF_8), content.getBytes(StandardCharsets.UTF_8)));
    }
}
