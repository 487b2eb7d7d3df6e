// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.testservers.HostileDeliveries.one;
import static dev.semel.webhooks.TestSender.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.MemoryClaimStore;
import dev.semel.testservers.HostileDeliveries;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ten thousand deliveries that are invalid by construction are all refused without any effect. */
class InvalidDeliveriesTest {
    private static final int DELIVERIES = 10_000;
    private static final long SEED = 20_260_101;

    private static final List<String> HEADERS = HostileDeliveries.headersAnd(
            "tosspayments-webhook-signature", "tosspayments-webhook-transmission-time", "Content-Type");

    private static final List<String> VALUES =
            HostileDeliveries.valuesAnd("application/x-www-form-urlencoded", ",,,,", "-1");

    private static final List<String> BODIES = List.of(
            "{\"id\":\"evt_1\"}",
            "[]",
            "[[[[[[[[",
            "{\"notificationItems\":[{}]}",
            "{\"eventType\":\"payout.changed\"}",
            "a=b&c=%ZZ",
            "\u0000\u0001",
            "");

    private static final Map<String, ProviderConfig> SIGNED = new LinkedHashMap<>();

    static {
        String secret = "a-secret-that-signs-nothing-here";
        HostileDeliveries.BY_SECRET.forEach(type -> SIGNED.put(type, ProviderConfig.secrets(secret)));
        SIGNED.put("custom", ProviderConfig.secrets(secret));
        SIGNED.put("adyen", ProviderConfig.secrets(HostileDeliveries.ADYEN_KEY));
        SIGNED.put("standard-webhooks", ProviderConfig.secrets(HostileDeliveries.STANDARD_SECRET));
        SIGNED.put("svix", ProviderConfig.secrets(HostileDeliveries.STANDARD_SECRET));
        SIGNED.put("sendgrid", ProviderConfig.none().with("public_keys", HostileDeliveries.SENDGRID_KEY));
        SIGNED.put("toss", ProviderConfig.secrets(secret));
        SIGNED.put("paypal", ProviderConfig.none().with("webhook_id", "WH-ID-1"));
    }

    @Test
    void eachIsRefusedAndNoneThrows() {
        Random random = new Random(SEED);
        TestHandler handler = new TestHandler();
        int before = LogHygiene.logged().size();
        try (OneProcess process = new OneProcess(new MemoryClaimStore())) {
            List<WebhookGate> gates = SIGNED.entrySet().stream()
                    .map(one -> process.gate(one.getKey(), one.getValue(), handler, settings -> settings))
                    .toList();
            for (int i = 0; i < DELIVERIES; i++) {
                WebhookRequest request = invalid(random);
                if (i % 50 == 0) {
                    LogHygiene.sent(request);
                }
                WebhookAnswer answer = answer(gates.get(i % gates.size()).receive(request));

                assertThat(answer.status())
                        .as("delivery %d of seed %d", i, SEED)
                        .isBetween(400, 499);
            }
        }
        assertThat(handler.events).isEmpty();
        assertThat(LogHygiene.logged().subList(before, LogHygiene.logged().size()))
                .noneMatch(line -> line.contains("WEBHOOK_ERROR") || line.contains("Exception"));
    }

    private static WebhookRequest invalid(Random random) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : HEADERS) {
            if (random.nextInt(3) > 0) {
                headers.put(name, mutated(random, one(random, VALUES)));
            }
        }
        byte[] body = mutated(random, one(random, BODIES)).getBytes(StandardCharsets.UTF_8);
        String method = random.nextInt(20) == 0 ? "GET" : "POST";
        return new WebhookRequest(
                method, TestSender.URL + "?bodySHA256=x", DeliveryHeaders.single(headers), body, "acme");
    }

    private static String mutated(Random random, String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = random.nextInt(4); i > 0; i--) {
            changed.insert(random.nextInt(changed.length() + 1), (char) random.nextInt(0x17f));
        }
        return changed.toString();
    }
}
