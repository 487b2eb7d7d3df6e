// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import dev.semel.testservers.PayPalSender;
import dev.semel.testservers.WebhookTarget;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Map;

/** The senders of webhooks to the shared servers, with their signatures. */
final class WebhookSenders {
    static final String URL_SECRET = Marks.text("url-secret");
    static final String VERIFY_TOKEN = Marks.text("verify-token");

    /** The target of the provider {@link #FORWARDED}. Only one test class may change its responses. */
    static final WebhookTarget TARGET = WebhookTarget.start();

    /** PayPal, but forwarded, and with a lease short enough for a test to wait for its end. */
    static final String FORWARDED = "forwarded";

    private static final PayPalSender PAYPAL = PayPalSender.made();
    private static final String WEBHOOK_ID = Marks.name("webhook");
    private static final String STRIPE = Marks.text("stripe-secret");
    private static final String WHATSAPP = Marks.text("whatsapp-secret");

    static final String FORWARDED_YAML = """
            webhooks:
              forwarded: {type: paypal, webhook_id: %s, certificate: "%s", lease_seconds: 2,
                sink: {forward: "%s", timeout_seconds: 20}}
            """.formatted(WEBHOOK_ID, certificate(), TARGET.uri());

    static final String YAML =
            FORWARDED_YAML + """
              stripe: {secrets: [%1$s]}
              short-lived: {type: stripe, secrets: [%1$s], ttl_hours: 24}
              whatsapp: {secrets: [%2$s], verify_token: %3$s}
              momo: {url_secret: %4$s}
              paypal: {webhook_id: %5$s, certificate: "%6$s"}
            """.formatted(STRIPE, WHATSAPP, VERIFY_TOKEN, URL_SECRET, WEBHOOK_ID, certificate());

    private WebhookSenders() {}

    private static String certificate() {
        return PAYPAL.certificate().replace("\r", "").replace("\n", "\\n");
    }

    /** PayPal's documented delivery with the key {@code ev_WH-123}, to the caller's tenant. */
    static Ask paypal(Caller caller, String provider) {
        Marks.keepOutOfLogs("ev_WH-123");
        JsonObject body = new JsonObject()
                .put("id", "WH-123")
                .put("event_type", "PAYMENT.CAPTURE.COMPLETED")
                .put("resource", new JsonObject().put("id", Marks.text("capture")));
        Ask ask = Webhooks.to(caller, provider, body);
        for (Map.Entry<String, String> header : PAYPAL.signed(
                        Instant.now(),
                        Marks.text("transmission"),
                        WEBHOOK_ID,
                        "https://api.paypal.com/v1/notifications/certs/CERT-1",
                        body.encode())
                .entrySet()) {
            ask = ask.header(header.getKey(), header.getValue());
        }
        Marks.keepOutOfLogs(ask.header("PAYPAL-TRANSMISSION-SIG"));
        return ask;
    }

    static Ask stripe(Caller caller, JsonObject body) {
        return stripe(caller, STRIPE, body);
    }

    static Ask stripe(Caller caller, String secret, JsonObject body) {
        long now = Calls.now();
        return Webhooks.to(caller, "stripe", body)
                .header("Stripe-Signature", "t=%d,v1=%s".formatted(now, Calls.sign(secret, now, body.encode())));
    }

    static String whatsAppSecret() {
        return WHATSAPP;
    }

    static Ask whatsApp(Caller caller, JsonObject body) {
        return Webhooks.to(caller, "whatsapp", body)
                .header("X-Hub-Signature-256", "sha256=" + Calls.hmac(WHATSAPP, body.encode()));
    }
}
