// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.memory.MemoryClaimStore;
import dev.semel.testkit.MutableClock;
import dev.semel.testservers.PayPalSender;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** PayPal signs a CRC of the body. An attacker with a captured delivery can make another body with the same CRC. */
class PayPalForgeryTest {
    private static final String BODY = "{\"id\":\"WH-1\",\"amount\":\"10.00\"}";
    private static final String FORGED = forged("{\"id\":\"WH-2\",\"amount\":\"10000.00\",\"pad\":\"", BODY);

    private final MutableClock clock = MutableClock.fromNow();
    private final OneProcess process = new OneProcess(new MemoryClaimStore(clock));
    private final PayPalSender sender = PayPalSender.made();
    private final TestHandler handler = new TestHandler();
    private final Instant sent = Instant.now();
    private final Map<String, String> headers =
            sender.signed(sent, "transmission-1", "hook-1", "https://api.paypal.com/v1/notifications/certs/1", BODY);

    @AfterEach
    void close() {
        process.close();
    }

    @Test
    void aForgedBodyIsRefusedAtAnotherTenantsUrl() {
        WebhookGate gate = gate("paypal");

        assertThat(receive(gate, "acme", BODY).status()).isEqualTo(200);
        assertThat(receive(gate, "acme", FORGED).status()).isEqualTo(401);
        assertThat(receive(gate, "acme2", FORGED).status()).isEqualTo(401);
        assertThat(receive(gate, "acme2", BODY).status())
                .as("the original body is a new event of the other tenant")
                .isEqualTo(200);
        assertThat(handler.events).hasSize(2);
    }

    @Test
    void aForgedBodyIsRefusedUnderAnotherNameOfTheProvider() {
        assertThat(receive(gate("paypal"), "acme", BODY).status()).isEqualTo(200);
        assertThat(receive(gate("paypal-2"), "acme", FORGED).status()).isEqualTo(401);
        assertThat(handler.events).hasSize(1);
    }

    /** The body stays bound for as long as the delivery can be verified, even if keys are kept for a shorter time. */
    @Test
    void theBindingOutlivesTheMaximumAge() {
        WebhookGate gate = gate("paypal");
        assertThat(receive(gate, "acme", BODY).status()).isEqualTo(200);

        for (int day = 1; day <= 4; day++) {
            clock.advance(Duration.ofDays(1));
            assertThat(receive(gate, "acme", FORGED).status()).as("day " + day).isEqualTo(401);
        }
        assertThat(handler.events).hasSize(1);
    }

    @Test
    void anOldDeliveryIsRefused() {
        WebhookGate old = process.gate(
                "paypal",
                config(),
                handler,
                settings -> settings.clock(() -> sent.plus(Duration.ofDays(4)).plusSeconds(1)));

        assertThat(receive(old, "acme", BODY).status()).isEqualTo(401);
    }

    private WebhookGate gate(String name) {
        return process.gate(
                name,
                Providers.of("paypal", config()),
                handler,
                settings -> settings.ttl(Duration.ofHours(1)).clock(() -> sent));
    }

    private ProviderConfig config() {
        return ProviderConfig.none().with("webhook_id", "hook-1").with("certificate", sender.certificate());
    }

    private WebhookAnswer receive(WebhookGate gate, String tenant, String body) {
        WebhookRequest request = new WebhookRequest(
                "POST", TestSender.URL, DeliveryHeaders.single(headers), body.getBytes(StandardCharsets.UTF_8), tenant);
        LogHygiene.sent(request);
        return answer(gate.receive(request));
    }

    /** A CRC is linear, so some choice of forty digits that are 0 or 1 gives any wanted CRC. */
    private static String forged(String start, String original) {
        int digits = 40;
        long base = crc(start + "0".repeat(digits) + "\"}");
        long wanted = crc(original) ^ base;
        long[] rows = new long[32];
        long[] chosen = new long[32];
        for (int i = 0; i < digits; i++) {
            long row = base ^ crc(start + "0".repeat(i) + "1" + "0".repeat(digits - i - 1) + "\"}");
            long used = 1L << i;
            for (int bit = 31; bit >= 0; bit--) {
                if ((row >> bit & 1) == 0) {
                    continue;
                }
                if (rows[bit] == 0) {
                    rows[bit] = row;
                    chosen[bit] = used;
                    break;
                }
                row ^= rows[bit];
                used ^= chosen[bit];
            }
        }
        long used = 0;
        for (int bit = 31; bit >= 0; bit--) {
            if ((wanted >> bit & 1) == 1) {
                wanted ^= rows[bit];
                used ^= chosen[bit];
            }
        }
        StringBuilder body = new StringBuilder(start);
        for (int i = 0; i < digits; i++) {
            body.append(used >> i & 1);
        }
        String forged = body.append("\"}").toString();
        assertThat(crc(forged)).isEqualTo(crc(original));
        return forged;
    }

    private static long crc(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }
}
