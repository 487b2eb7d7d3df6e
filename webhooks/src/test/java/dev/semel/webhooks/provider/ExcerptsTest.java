// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An excerpt's size is known before it is made. */
class ExcerptsTest {
    private static final String TEXTS =
            "\"a\\\"b\\\\c\\n\\u0001\\u001fé€\\ud83d\\ude00\": [null, true, false, -1.50e3, {}, [], \"\\u00e9\"]";

    @Test
    void sizesAreThoseOfTheBytes() {
        for (String delivery : List.of(
                "{ \"notificationItems\" : [ {" + TEXTS + "}, {\"a\": 1} ], " + TEXTS + "}",
                "{\"notificationItems\":[{},{\"NotificationRequestItem\":{\"x\":\"y\"}},{}]}")) {
            assertSizes("adyen", delivery);
        }
        assertSizes("sendgrid", "[{" + TEXTS + "}, {\"a\": 1}, 5]");
        assertSizes(
                "whatsapp",
                "{\"messages\":[{\"id\":\"t\"}],\"entry\":[{" + TEXTS + ",\"changes\":[{\"field\":\"x\"},{\"value\":{"
                        + "\"contacts\":[{\"wa_id\":\"1\",\"n\":\"é\"},{\"wa_id\":\"2\"}],\"statuses\":[{\"id\":\"s\",\"recipient_id\":\"2\"}],"
                        + TEXTS + ",\"messages\":[{\"id\":\"a\",\"from\":\"1\"},{\"id\":\"b\"}]}}]},{\"id\":1}]}");
    }

    private static void assertSizes(String type, String delivery) {
        List<Fragment> parts =
                Providers.of(type, ProviderConfig.none()).split(SignedDelivery.request(Map.of(), delivery));
        assertThat(parts)
                .hasSizeGreaterThan(1)
                .allSatisfy(part -> assertThat(part.size())
                        .as(new String(part.payload(), StandardCharsets.UTF_8))
                        .isEqualTo(part.payload().length));
    }

    @Test
    void aMessageKeepsItsOwnContacts() {
        List<String> parts = whatsapp(
                "{\"contacts\":[{\"wa_id\":\"1\"},{\"wa_id\":\"2\"}],\"new\":1,\"messages\":[{\"id\":\"a\",\"from\":\"1\"},{\"id\":\"b\",\"from\":\"3\"}],\"statuses\":[{\"id\":\"c\",\"recipient_id\":\"2\"}]}");

        assertThat(parts.get(0))
                .isEqualTo("{\"contacts\":[{\"wa_id\":\"1\"}],\"new\":1,\"messages\":[{\"id\":\"a\",\"from\":\"1\"}]}");
        assertThat(parts.get(1)).as("a message without a contact keeps all").contains("\"1\"", "\"2\"");
        assertThat(parts.get(2)).contains("[{\"wa_id\":\"2\"}]").doesNotContain("\"1\"");
    }

    @Test
    void contactsWithoutAnIdStay() {
        List<String> parts = whatsapp(
                "{\"contacts\":[{\"wa_id\":\"1\"},{\"name\":\"x\"}],\"messages\":[{\"id\":\"a\",\"from\":\"1\"},{\"id\":\"b\",\"from\":\"1\"}]}");

        assertThat(parts).allSatisfy(part -> assertThat(part).contains("\"name\":\"x\""));
    }

    private static List<String> whatsapp(String value) {
        String body = "{\"entry\":[{\"changes\":[{\"value\":%s}]}]}".formatted(value);
        return Providers.of("whatsapp", ProviderConfig.none()).split(SignedDelivery.request(Map.of(), body)).stream()
                .map(part -> new String(part.payload(), StandardCharsets.UTF_8))
                .map(part -> part.substring(part.indexOf("\"value\":") + 8, part.length() - "}]}]}".length()))
                .toList();
    }
}
