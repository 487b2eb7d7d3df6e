// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of webhook providers: their options, the requirements of production, and their printed form. */
class WebhookSettingsReaderTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String DIGEST = "a".repeat(64);

    @TempDir
    Path folder;

    /** An invalid setting and the expected part of the message. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            webhooks: {x: {sink: {forwad: "http://a"}}}      | webhooks.x.sink.forward is required
            webhooks: {x: {sink: outbox}}                    | webhooks.x.sink must be inbox
            webhooks: {x: {items: events}}                   | webhooks.x.items must be a JSON pointer
            webhooks: {x: {signature: {algorithm: md5}}}     | semel.yml: webhooks.x.signature.algorithm must be hmac-sha1, hmac-sha256
            webhooks: {x: {signature: {headr: X-A}}}         | webhooks.x.signature.headr is unknown: did you mean webhooks.x.signature.header?
            webhooks: {x: {key: [id]}}                       | webhooks.x.key[0] must be a JSON pointer
            webhooks: {x: {type: strip}}                     | webhooks.x.type must be one of adyen
            webhooks: {x: {payment: {transaction: /id}}}     | webhooks.x.payment.when must say which events are payments
            webhooks: {x: {url_secret: short}}               | webhooks.x.url_secret must have 16 to 200 letters
            webhooks: {x: {sink: {forward: "http://u:p@a"}}} | webhooks.x.sink.forward must not contain a user or a password
            webhooks: {x: {lease_seconds: 0}}                | webhooks.x.lease_seconds must be a whole number from 1 to 3600
            webhooks: {x: {lease_seconds: 1, sink: {forward: "http://a", timeout_seconds: 13}}} | webhooks.x.lease_seconds must be at least a twelfth
            webhooks: {"a/b": {}}                            | webhooks.a/b must have a name of 1 to 64 letters
            webhooks: {stripe: {webhook_id: x}}              | webhooks.stripe.webhook_id is unknown
            webhooks: {stripe: {tolerance_seconds: soon}}    | webhooks.stripe.tolerance_seconds must be a number of seconds
            webhooks: {svix: {secrets: [n!!]}}                | semel.yml: webhooks.svix: A key of Standard Webhooks must be whsec_
            webhooks: {paypal: {tolerance_seconds: 0}}       | webhooks.paypal.tolerance_seconds must be a number of seconds, at least 259200
            webhooks: {paypal: {tolerance_seconds: off}}     | webhooks.paypal.tolerance_seconds must be a number of seconds, at least 259200
            webhooks: {x: {tenants: acme}}                   | webhooks.x.tenants must be a list
            webhooks: {x: {tenants: [""]}}                   | webhooks.x.tenants[0]
            webhooks: {x: {tenants: ["semel:webhooks"]}}     | webhooks.x.tenants[0] is reserved
            webhooks: {adyen: {secrets: [zz]}}               | semel.yml: webhooks.adyen: An HMAC key of Adyen must be written in hexadecimal
            """)
    void sayWhatIsWrong(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml, Map.of(), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anUnknownNameIsACustomProvider() {
        Map<String, WebhookSettings> webhooks = read(
                        "webhooks: {stripe: {}, orders: {}, shop-2: {type: shopify}}", Map.of(), Map.of())
                .webhooks();

        assertThat(webhooks.get("stripe").type()).isEqualTo("stripe");
        assertThat(webhooks.get("orders").type()).isEqualTo("custom");
        assertThat(webhooks.get("shop-2").type()).isEqualTo("shopify");
    }

    /** A provider and what production requires for it; empty if nothing is missing. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stripe: {}                                            | webhooks.stripe.secrets
            stripe: {url_secret: 0123456789abcdef}                | webhooks.stripe.secrets
            stripe: {secrets: [whsec_x]}                          |
            paypal: {}                                            | webhooks.paypal.webhook_id
            paypal: {webhook_id: x}                               |
            sendgrid: {}                                          | webhooks.sendgrid.public_keys
            momo: {}                                              | webhooks.momo.url_secret
            momo: {url_secret: 0123456789abcdef}                  |
            toss: {}                                              | webhooks.toss.url_secret
            toss: {secrets: [x]}                                  |
            cloudevents: {}                                       | webhooks.cloudevents.url_secret
            orders: {}                                            | webhooks.orders.secrets
            orders: {url_secret: 0123456789abcdef}                |
            orders: {type: momo}                                  | webhooks.orders.url_secret
            """)
    void productionRequiresVerification(String webhook, String missing) {
        String yaml =
                "tokens: [{sha256: %s, tenant: t, actor: a, role: client}]\nwebhooks: {%s}".formatted(DIGEST, webhook);
        Map<Setting, String> production = Map.of(Setting.PRODUCTION, "true");
        Map<String, String> environment = Map.of("IDEMPOTENCY_SECRET", SECRET);

        if (missing == null) {
            assertThat(read(yaml, environment, production).webhooks()).hasSize(1);
        } else {
            assertThatThrownBy(() -> read(yaml, environment, production))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("Set " + missing);
        }
    }

    @Test
    void productionWithSeveralTenantsNeedsAListOfThem() {
        String tokens =
                "tokens: [{sha256: %s, tenant: one, actor: a, role: client}, {sha256: %s, tenant: two, actor: a, role: client}]"
                        .formatted(DIGEST, "b".repeat(64));
        Map<Setting, String> production = Map.of(Setting.PRODUCTION, "true");
        Map<String, String> environment = Map.of("IDEMPOTENCY_SECRET", SECRET);

        assertThatThrownBy(() -> read(tokens + "\nwebhooks: {stripe: {secrets: [x]}}", environment, production))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the tokens have several. Set webhooks.stripe.tenants");
        Settings settings =
                read(tokens + "\nwebhooks: {stripe: {secrets: [x], tenants: [two, three]}}", environment, production);
        assertThat(settings.webhooks().get("stripe").tenants()).containsExactly("two", "three");
        assertThat(SettingsPrinter.print(settings)).contains("tenants:\n    - two\n    - three");
        assertThat(read(tokens + "\nwebhooks: {stripe: {secrets: [x]}}", Map.of(), Map.of())
                        .webhooks())
                .as("development")
                .hasSize(1);
    }

    @Test
    void aTokenCannotHaveTheReservedTenant() {
        assertThatThrownBy(() -> read(
                        "tokens: [{sha256: %s, tenant: \"semel:webhooks\", actor: a, role: client}]".formatted(DIGEST),
                        Map.of(),
                        Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tokens[0].tenant is reserved");
    }

    @Test
    void webhooksArePrintedWithoutWhatIsSecret() {
        String printed = SettingsPrinter.print(read("""
                webhooks:
                  whatsapp: {secrets: [geheim1], verify_token: geheim2, url_secret: geheim3-0123456789}
                  square: {secrets: [geheim4], url: "https://example.com/webhooks/acme/square/geheim5"}
                  orders:
                    secrets: [geheim6]
                    signature: {header: X-Sign, content: "{timestamp}.{body}", timestamp_header: X-Time}
                    key: [/id]
                    payment: {when: [/type=paid], transaction: /tx}
                    sink: {forward: "http://127.0.0.1:9000/hooks", timeout_seconds: 3}
                    lease_seconds: 5
                """, Map.of(), Map.of()));

        assertThat(printed)
                .doesNotContain("geheim")
                .contains(
                        "verify_token: <hidden>",
                        "url_secret: <hidden>",
                        "header: X-Sign",
                        "transaction: /tx",
                        "forward: http://127.0.0.1:9000/hooks",
                        "timeout_seconds: 3",
                        "lease_seconds: 5");
        SettingsSection orders =
                YamlFile.parse(printed, "printed", Map.of()).section("webhooks").section("orders");
        assertThat(orders.section("signature").value("timestamp_header"))
                .contains(new SettingValue("printed: webhooks.orders.signature.timestamp_header", "X-Time"));
    }

    private Settings read(String yaml, Map<String, String> environment, Map<Setting, String> options) {
        try {
            return SettingsReader.read(
                    options, Optional.of(Files.writeString(folder.resolve("semel.yml"), yaml)), environment);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
