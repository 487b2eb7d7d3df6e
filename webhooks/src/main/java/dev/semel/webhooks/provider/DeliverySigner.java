// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.PrivateKeys;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Signs deliveries as their senders do, to try a webhook endpoint. It reads the settings of the provider that verifies them and
 * uses the first of its {@code secrets}.
 */
public final class DeliverySigner {
    /** Returns the delivery with its signature. */
    private interface Scheme {
        WebhookRequest sign(WebhookRequest request, Instant now);
    }

    private static final Scheme NOTHING = (request, now) -> request;

    private final Scheme scheme;

    private DeliverySigner(Scheme scheme) {
        this.scheme = scheme;
    }

    /**
     * Makes the signer of a provider.
     *
     * @param key for providers that sign with a private key
     * @throws IllegalArgumentException if the type is unknown or a setting is wrong
     */
    public static DeliverySigner of(String type, ProviderConfig config, Optional<PrivateKey> key) {
        config.check(type, Providers.settings(type));
        Optional<String> secret = config.secrets().stream().findFirst();
        return new DeliverySigner(
                switch (type) {
                    case "momo", "cloudevents" -> NOTHING;
                    case "paypal" ->
                        key.isEmpty() || config.one("webhook_id").isEmpty()
                                ? NOTHING
                                : payPal(config.one("webhook_id").get(), key.get());
                    case "sendgrid" -> key.map(DeliverySigner::sendGrid).orElse(NOTHING);
                    case "custom" -> custom(config, secret, key);
                    case "standard-webhooks" -> standard("webhook-", secret, key);
                    case "svix" -> standard("svix-", secret, key);
                    default -> secret.map(text -> byHmac(type, text, config)).orElse(NOTHING);
                });
    }

    /** Whether it signs: the provider signs its deliveries, and the secret or private key is known. */
    public boolean signs() {
        return scheme != NOTHING;
    }

    /** Returns the delivery with its signature, as sent at this time; unchanged if it does not sign. */
    public WebhookRequest sign(WebhookRequest request, Instant now) {
        return scheme.sign(request, now);
    }

    private static Scheme byHmac(String type, String secret, ProviderConfig config) {
        byte[] key = utf8(secret);
        return switch (type) {
            case "stripe" -> pairs("Stripe-Signature", "t=%s,v1=%s", ".", key);
            case "paddle" -> pairs("Paddle-Signature", "ts=%s;h1=%s", ":", key);
            case "github", "whatsapp" -> ofBody("X-Hub-Signature-256", "sha256=", Encoding.HEX, Hmac.SHA256, key);
            case "shopify" -> ofBody("X-Shopify-Hmac-Sha256", "", Encoding.BASE64, Hmac.SHA256, key);
            case "razorpay" -> ofBody("X-Razorpay-Signature", "", Encoding.HEX, Hmac.SHA256, key);
            case "paystack" -> ofBody("x-paystack-signature", "", Encoding.HEX, Hmac.SHA512, key);
            case "slack" ->
                (request, now) -> {
                    String time = seconds(now);
                    byte[] mac = Hmac.SHA256.of(key, utf8("v0:" + time + ":"), request.body());
                    return with(
                            request,
                            Map.of(
                                    "X-Slack-Request-Timestamp",
                                    time,
                                    "X-Slack-Signature",
                                    "v0=" + Encoding.HEX.encode(mac)));
                };
            case "square" ->
                (request, now) -> {
                    byte[] url = utf8(PublicUrl.of(config).of(request));
                    String mac = Encoding.BASE64.encode(Hmac.SHA256.of(key, url, request.body()));
                    return with(request, Map.of("x-square-hmacsha256-signature", mac));
                };
            case "twilio" ->
                (request, now) -> {
                    byte[] signed = utf8(new Twilio(config).signed(request));
                    return with(
                            request, Map.of("X-Twilio-Signature", Encoding.BASE64.encode(Hmac.SHA1.of(key, signed))));
                };
            case "toss" ->
                (request, now) -> {
                    byte[] mac = Hmac.SHA256.of(key, request.body(), utf8(":" + now));
                    return with(
                            request,
                            Map.of(
                                    "tosspayments-webhook-transmission-time",
                                    now.toString(),
                                    "tosspayments-webhook-signature",
                                    "v1:" + Encoding.BASE64.encode(mac)));
                };
            case "adyen" -> adyen(Adyen.decoded(secret));
            default -> throw new IllegalArgumentException("Deliveries of %s cannot be signed yet".formatted(type));
        };
    }

    private static Scheme ofBody(String header, String prefix, Encoding encoding, Hmac hmac, byte[] key) {
        return (request, now) -> with(request, Map.of(header, prefix + encoding.encode(hmac.of(key, request.body()))));
    }

    private static Scheme pairs(String header, String format, String between, byte[] key) {
        return (request, now) -> {
            String time = seconds(now);
            byte[] mac = Hmac.SHA256.of(key, utf8(time + between), request.body());
            return with(request, Map.of(header, format.formatted(time, Encoding.HEX.encode(mac))));
        };
    }

    /** Adyen's signatures are in the body, one for each item. */
    private static Scheme adyen(byte[] key) {
        return (request, now) -> {
            JsonObject delivery = (JsonObject) DeliveryJson.json(request);
            List<Json> signed = new ArrayList<>();
            for (Json wrapped : DeliveryJson.elements(delivery, "notificationItems")) {
                JsonObject item = (JsonObject)
                        DeliveryJson.at(wrapped, "NotificationRequestItem").orElseThrow();
                String mac = Encoding.BASE64.encode(Hmac.SHA256.of(key, utf8(Adyen.signed(item))));
                JsonObject data = new JsonObject(Map.of("hmacSignature", new JsonString(mac)));
                signed.add(set((JsonObject) wrapped, "NotificationRequestItem", set(item, "additionalData", data)));
            }
            return new WebhookRequest(
                    request.method(),
                    request.url(),
                    request.headers(),
                    set(delivery, "notificationItems", new JsonArray(signed)).utf8(),
                    request.tenant());
        };
    }

    private static JsonObject set(JsonObject object, String name, Json value) {
        Map<String, Json> members = new LinkedHashMap<>(object.members());
        members.put(name, value);
        return new JsonObject(members);
    }

    private static Scheme payPal(String webhook, PrivateKey key) {
        return (request, now) -> {
            CRC32 crc = new CRC32();
            crc.update(request.body());
            String id = request.headers().one("PAYPAL-TRANSMISSION-ID").orElseThrow();
            byte[] signed = utf8("%s|%s|%s|%d".formatted(id, now, webhook, crc.getValue()));
            return with(
                    request,
                    Map.of(
                            "PAYPAL-TRANSMISSION-TIME",
                            now.toString(),
                            "PAYPAL-AUTH-ALGO",
                            PayPal.ALGORITHM,
                            "PAYPAL-TRANSMISSION-SIG",
                            Encoding.BASE64.encode(PrivateKeys.sign(key, PayPal.ALGORITHM, signed))));
        };
    }

    private static Scheme sendGrid(PrivateKey key) {
        return (request, now) -> {
            byte[] signature = PrivateKeys.sign(key, "SHA256withECDSA", utf8(seconds(now)), request.body());
            return with(
                    request,
                    Map.of(
                            SendGrid.HEADERS + "Timestamp",
                            seconds(now),
                            SendGrid.HEADERS + "Signature",
                            Encoding.BASE64.encode(signature)));
        };
    }

    private static Scheme standard(String prefix, Optional<String> secret, Optional<PrivateKey> key) {
        if (secret.isEmpty() && key.isEmpty()) {
            return NOTHING;
        }
        Optional<byte[]> shared = secret.map(text -> StandardWebhooks.decoded("whsec_", text));
        return (request, now) -> {
            String id = request.headers().one(prefix + "id").orElseThrow();
            byte[] before = utf8(id + "." + seconds(now) + ".");
            String signature = shared.map(
                            bytes -> "v1," + Encoding.BASE64.encode(Hmac.SHA256.of(bytes, before, request.body())))
                    .orElseGet(() -> "v1a,"
                            + Encoding.BASE64.encode(
                                    PrivateKeys.sign(key.orElseThrow(), "Ed25519", before, request.body())));
            return with(request, Map.of(prefix + "timestamp", seconds(now), prefix + "signature", signature));
        };
    }

    private static Scheme custom(ProviderConfig config, Optional<String> secret, Optional<PrivateKey> key) {
        String algorithm = config.one("signature.algorithm").orElse("hmac-sha256");
        boolean shared = algorithm.startsWith("hmac-");
        if (shared ? secret.isEmpty() : key.isEmpty()) {
            return NOTHING;
        }
        SignedContent content = CustomSignature.content(config);
        Optional<String> time = config.one("signature.timestamp_header");
        return (request, now) -> {
            WebhookRequest complete = request;
            for (String header : content.headers()) {
                if (request.headers().one(header).isEmpty()) {
                    boolean timed = time.filter(header::equalsIgnoreCase).isPresent();
                    complete = with(complete, Map.of(header, timed ? seconds(now) : "semel"));
                }
            }
            byte[] signed = content.in(complete).orElseThrow();
            byte[] signature = shared
                    ? CustomSignature.hmac(algorithm).of(utf8(secret.orElseThrow()), signed)
                    : PrivateKeys.sign(key.orElseThrow(), CustomSignature.jdkName(algorithm), signed);
            String text = config.one("signature.prefix").orElse("")
                    + CustomSignature.encoding(config.one("signature.encoding").orElse("hex"))
                            .encode(signature);
            return with(complete, Map.of(config.one("signature.header").orElse(CustomSignature.DEFAULT_HEADER), text));
        };
    }

    private static WebhookRequest with(WebhookRequest request, Map<String, String> more) {
        Map<String, List<String>> headers =
                new LinkedHashMap<>(request.headers().all());
        more.forEach((name, value) -> headers.put(name, List.of(value)));
        return new WebhookRequest(
                request.method(), request.url(), DeliveryHeaders.of(headers), request.body(), request.tenant());
    }

    private static String seconds(Instant now) {
        return Long.toString(now.getEpochSecond());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
