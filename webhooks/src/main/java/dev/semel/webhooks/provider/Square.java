// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/** Square. The key is {@code ev_<event_id>}. The signature is over the registered notification URL and the body. */
final class Square implements Provider {
    private final Signature signature;

    Square(ProviderConfig config) {
        SigningKeys keys = config.keys();
        PublicUrl url = PublicUrl.of(config);
        signature = Signature.of(
                keys.isEmpty(),
                (request, now) -> request.headers()
                        .one("x-square-hmacsha256-signature")
                        .map(text -> Encoding.BASE64
                                .decode(text)
                                .map(given -> Verification.of(keys.verify(
                                        Hmac.SHA256,
                                        given,
                                        url.of(request).getBytes(StandardCharsets.UTF_8),
                                        request.body())))
                                .orElse(Verification.MALFORMED))
                        .orElse(Verification.MISSING));
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("x-square-hmacsha256-signature", "x-square-signature");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "event_id")
                .map(id -> EventKeys.strong("ev_" + id))
                .orElseThrow(() -> DeliveryJson.withoutKey("an event_id"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(2);
    }
}
