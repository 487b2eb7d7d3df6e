// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static dev.semel.testservers.HostileDeliveries.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.HostileDeliveries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Invalid deliveries: each is refused, none is stored, and none causes a server error. */
@BlackBox
class HostileWebhooksTest {
    private static final int DELIVERIES = 10_000;
    private static final int SENDERS = 8;

    /** The last one is a provider of the configuration's own. */
    private static final List<String> BY_SECRET = Stream.concat(
                    HostileDeliveries.BY_SECRET.stream(), Stream.of("orders"))
            .toList();

    /** Providers without a signature, whose body must be a valid document. */
    private static final List<String> UNSIGNED = List.of("custom", "cloudevents", "toss");

    private static final List<String> HEADERS = HostileDeliveries.headersAnd(
            "X-GitHub-Delivery",
            "PAYPAL-TRANSMISSION-ID",
            "PAYPAL-TRANSMISSION-TIME",
            "PAYPAL-TRANSMISSION-SIG",
            "PAYPAL-CERT-URL",
            "PAYPAL-AUTH-ALGO",
            "X-Timestamp");

    private static final List<String> VALUES = HostileDeliveries.valuesAnd(
            "https://api.paypal.com/v1/notifications/certs/CERT-1@attacker.example",
            "SHA256withRSA",
            "2026-01-01T00:00:00Z");

    @Test
    void areRefused() {
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.with(yaml()))) {
            String tenant = server.caller().tenant();

            List<List<String>> wrong = Crowd.of(SENDERS, sender -> {
                // A different seed for each provider, and the same one in every build.
                Random random = new Random(sender);
                List<String> notRefused = new ArrayList<>();
                for (int i = 0; i < DELIVERIES / SENDERS; i++) {
                    Ask ask = hostile(random, tenant);
                    Answer answer = exchange(server, ask);
                    if (answer.status() < 400
                            || answer.status() > 499
                            || !OpenApi.problemViolations(answer).isEmpty()) {
                        notRefused.add("%s %s: %s".formatted(ask.method(), ask.path(), answer));
                    }
                }
                return notRefused;
            });

            assertThat(wrong).allSatisfy(each -> assertThat(each).isEmpty());
            assertThat(Webhooks.inbox(server.named(tenant))).isEmpty();
            assertThat(server.process().output())
                    .contains("WEBHOOK_REFUSED")
                    .doesNotContain("level=ERROR", "\tat ", "exception=", "WEBHOOK_ERROR");
            assertThat(server.nobody().get("/health").status()).isEqualTo(200);
        }
    }

    private static String yaml() {
        StringBuilder yaml = new StringBuilder("""
                webhooks:
                  paypal: {webhook_id: WH-ID-1}
                  adyen: {secrets: ["%1$s"]}
                  standard-webhooks: {secrets: [%2$s]}
                  svix: {secrets: [%2$s]}
                  sendgrid: {public_keys: ["%3$s"]}
                  momo: {url_secret: %4$s}
                """.formatted(
                        HostileDeliveries.ADYEN_KEY,
                        HostileDeliveries.STANDARD_SECRET,
                        HostileDeliveries.SENDGRID_KEY,
                        Marks.text("url-secret")));
        BY_SECRET.forEach(name -> yaml.append("  %s: {secrets: [%s]}%n".formatted(name, Marks.text("secret"))));
        return yaml.toString();
    }

    private static Answer exchange(RunningServer server, Ask ask) {
        try {
            return Client.exchange(server.process().uri().resolve(ask.path()).toString(), ask);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Either with an invalid signature, or unsigned and not a document, or to an unknown address. */
    private static Ask hostile(Random random, String tenant) {
        Ask ask = switch (random.nextInt(8)) {
            case 0, 1 -> ask(tenant, one(random, UNSIGNED), broken(random));
            case 2 -> ask(tenant, one(random, List.of("nobody", "momo", "momo/" + letters(random))), "{}");
            case 3 -> ask(tenant, one(random, BY_SECRET), "{}").method(one(random, List.of("GET", "OPTIONS")));
            case 4 ->
                ask(
                        tenant,
                        one(random, List.of("paypal", "adyen", "standard-webhooks", "svix", "sendgrid")),
                        random.nextBoolean() ? "{\"notificationItems\":[{}]}" : broken(random));
            default ->
                ask(
                        tenant,
                        one(random, BY_SECRET),
                        random.nextBoolean() ? "{\"id\":\"%d\"}".formatted(random.nextInt()) : broken(random));
        };
        for (String header : HEADERS) {
            if (random.nextInt(3) > 0) {
                String value = random.nextBoolean() ? one(random, VALUES) : letters(random);
                ask = ask.header(header, value);
            }
        }
        return ask;
    }

    private static Ask ask(String tenant, String provider, String body) {
        return Ask.post("/webhooks/%s/%s".formatted(tenant, provider)).json(body);
    }

    /** Not JSON: it starts with a brace and does not end with one. */
    private static String broken(Random random) {
        return "{" + text(random, "{}[]\":,0123456789truefalsn ", random.nextInt(200)) + "\u0001";
    }

    private static String letters(Random random) {
        return text(random, "0123456789abcdefABCXYZ-_", 1 + random.nextInt(120));
    }

    private static String text(Random random, String letters, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
