// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Deliveries that are invalid by construction: each is refused, none is stored, and none makes the server stumble. */
@BlackBox
class HostileWebhooksTest {
    private static final int DELIVERIES = 10_000;
    private static final int SENDERS = 8;
    private static final List<String> SIGNED = List.of("stripe", "github", "slack", "paddle", "whatsapp");
    private static final List<String> HEADERS = List.of(
            "Stripe-Signature",
            "X-Hub-Signature-256",
            "X-Slack-Signature",
            "X-Slack-Request-Timestamp",
            "Paddle-Signature");

    @Test
    void areRefused() {
        StringBuilder yaml = new StringBuilder("webhooks:\n");
        SIGNED.forEach(name -> yaml.append("  %s: {secrets: [%s]}%n".formatted(name, Marks.text("secret"))));
        try (RunningServer server = Environment.SQLITE.fresh(Configuration.with(yaml.toString()))) {
            String tenant = server.caller().tenant();

            List<List<String>> wrong = Crowd.of(SENDERS, sender -> {
                // A seed of its own for each, and the same in every build.
                Random random = new Random(sender);
                List<String> notRefused = new ArrayList<>();
                for (int i = 0; i < DELIVERIES / SENDERS; i++) {
                    Ask ask = hostile(random, tenant);
                    Answer answer = exchange(server, ask);
                    if (answer.status() < 400
                            || answer.status() > 499
                            || !OpenApi.problemViolations(answer).isEmpty()) {
                        notRefused.add("%s: %s".formatted(ask.path(), answer));
                    }
                }
                return notRefused;
            });

            assertThat(wrong).allSatisfy(each -> assertThat(each).isEmpty());
            assertThat(Webhooks.inbox(server.named(tenant))).isEmpty();
            assertThat(server.process().output()).doesNotContain("level=ERROR", "\tat ", " | dev.semel.");
            assertThat(server.nobody().get("/health").status()).isEqualTo(200);
        }
    }

    private static Answer exchange(RunningServer server, Ask ask) {
        try {
            return Client.exchange(server.process().uri().resolve(ask.path()).toString(), ask);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Either signed by nobody who knows the secret, or not signed and no document. */
    private static Ask hostile(Random random, String tenant) {
        boolean signed = random.nextBoolean();
        String provider = signed ? SIGNED.get(random.nextInt(SIGNED.size())) : "custom";
        String body = signed && random.nextBoolean() ? "{\"id\":\"%d\"}".formatted(random.nextInt()) : broken(random);
        Ask ask = Ask.post("/webhooks/%s/%s".formatted(tenant, provider)).json(body);
        for (String header : HEADERS) {
            if (random.nextInt(3) > 0) {
                ask = ask.header(header, text(random, "0123456789abcdef=,;:tvhs1 ", 1 + random.nextInt(120)));
            }
        }
        return ask;
    }

    /** No JSON: it begins with a brace and does not end with one. */
    private static String broken(Random random) {
        return "{" + text(random, "{}[]\":,0123456789truefalsn ", random.nextInt(200)) + "\u0001";
    }

    private static String text(Random random, String letters, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString().strip();
    }
}
