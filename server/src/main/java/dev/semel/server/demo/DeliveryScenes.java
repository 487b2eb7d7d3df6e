// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import dev.semel.internal.HmacSha256;
import dev.semel.internal.SendersClock;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.DeliverySigner;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Providers that deliver webhooks twice, an API behind the proxy, ledger events and calls. */
final class DeliveryScenes {
    private static final int MAX_TRIES = 4;

    private final DemoClient client;
    private final ScenePlayer traffic;
    private final AtomicInteger paidOrders = new AtomicInteger(2_001);
    private final DeliverySigner whatsApp = signer("whatsapp");
    private final DeliverySigner stripe = signer("stripe");

    DeliveryScenes(DemoClient client, ScenePlayer traffic) {
        this.client = client;
        this.traffic = traffic;
    }

    private static DeliverySigner signer(String type) {
        return DeliverySigner.of(type, ProviderConfig.secrets(DemoSettings.WEBHOOK_SECRET), Optional.empty());
    }

    void start() {
        traffic.repeat(Duration.ofSeconds(2), this::whatsAppBatch);
        traffic.repeat(Duration.ofMillis(1_200), this::stripeEvent);
        traffic.repeat(Duration.ofSeconds(7), this::forgedEvent);
        traffic.repeat(Duration.ofMillis(900), this::shopOrder);
        traffic.repeat(Duration.ofSeconds(2), this::ledgerEvent);
        traffic.repeat(Duration.ofSeconds(3), this::callEvent);
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private DemoClient.Response deliver(String provider, DeliverySigner signer, String body)
            throws InterruptedException {
        WebhookRequest unsigned = new WebhookRequest(
                "POST",
                "/webhooks/" + provider,
                DeliveryHeaders.single(Map.of("Content-Type", "application/json")),
                utf8(body),
                "");
        WebhookRequest signed = signer.sign(unsigned, SendersClock.now());
        Map<String, String> headers = new LinkedHashMap<>();
        signed.headers().all().forEach((name, values) -> headers.put(name, values.get(0)));
        return client.post("/webhooks/" + provider, headers, signed.body());
    }

    /** A batch of messages, delivered twice. The second delivery has one more message, which alone is processed. */
    private void whatsAppBatch() throws InterruptedException {
        String batch = id();
        deliver("whatsapp", whatsApp, messages(batch, 3));
        deliver("whatsapp", whatsApp, messages(batch, 4));
    }

    private static String messages(String batch, int count) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        "{\"from\":\"15555550123\",\"id\":\"wamid.%s-%d\",\"type\":\"text\",\"text\":{\"body\":\"Is my order on its way?\"}}"
                                .formatted(batch, i))
                .collect(Collectors.joining(
                        ",",
                        "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"id\":\"1\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"whatsapp\",\"messages\":[",
                        "]}}]}]}"));
    }

    /** The receiver fails at times; the provider delivers again until it is accepted, and once more by mistake. */
    private void stripeEvent() throws InterruptedException {
        String event =
                "{\"id\":\"evt_%s\",\"object\":\"event\",\"type\":\"payment_intent.succeeded\",\"data\":{\"object\":{\"amount\":2000}}}"
                        .formatted(id().replace("-", ""));
        stripeEvent(event, 1);
    }

    private void stripeEvent(String event, int attempt) throws InterruptedException {
        boolean accepted = deliver("stripe", stripe, event).status() == 200;
        if (accepted && attempt < MAX_TRIES) {
            traffic.later(Duration.ofMillis(400), () -> deliver("stripe", stripe, event));
        } else if (attempt < MAX_TRIES) {
            traffic.later(Duration.ofSeconds(1), () -> stripeEvent(event, attempt + 1));
        }
    }

    /** A delivery with the wrong signature is refused. */
    private void forgedEvent() throws InterruptedException {
        client.post(
                "/webhooks/stripe",
                Map.of("Content-Type", "application/json", "Stripe-Signature", "t=1,v1=" + "0".repeat(64)),
                utf8("{\"id\":\"evt_forged\"}"));
    }

    /** An order through the proxy. The shop fails at times; a retry with the same key is safe. */
    private void shopOrder() throws InterruptedException {
        shopOrder("shop-" + id(), 1);
    }

    private void shopOrder(String key, int attempt) throws InterruptedException {
        int status = client.post(
                        "/shop/orders",
                        Map.of("Content-Type", "application/json", "Idempotency-Key", key),
                        utf8("{\"item\":\"A-17\",\"count\":1}"))
                .status();
        if (status == 201 ? attempt == 1 : attempt < MAX_TRIES) {
            traffic.later(Duration.ofMillis(600), () -> shopOrder(key, attempt + 1));
        }
    }

    private void ledgerEvent() throws InterruptedException {
        String entry =
                "{\"idempotency_key\":\"%s\",\"event\":{\"org_id\":\"default\",\"actor_id\":\"shop\",\"event_type\":\"order.paid\",\"entity_type\":\"order\",\"entity_id\":\"%d\",\"payload\":{\"amount\":20}}}"
                        .formatted(id(), paidOrders.getAndIncrement());
        client.post("/api/ledger/ingest", entry);
        client.post("/api/ledger/ingest", entry);
    }

    private void callEvent() throws InterruptedException {
        String body = "{\"site_id\":\"default\",\"call_sid\":\"%s\",\"duration\":42}".formatted(id());
        String time = Long.toString(SendersClock.now().getEpochSecond());
        byte[] mac = new HmacSha256(utf8(DemoSettings.WEBHOOK_SECRET)).of(utf8(time + "." + body));
        Map<String, String> headers = Map.of(
                "Content-Type",
                "application/json",
                "x-ops-timestamp",
                time,
                "x-ops-signature",
                HexFormat.of().formatHex(mac));
        client.post("/api/call-event", headers, utf8(body));
        client.post("/api/call-event", headers, utf8(body));
    }
}
