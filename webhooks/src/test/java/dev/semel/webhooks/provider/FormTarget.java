// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Parses any bytes as a form and as a URL. The result is refused, or is the same after encoding and parsing it again. */
final class FormTarget {
    private static final int MAX_FIELDS = 1_000;

    private FormTarget() {}

    static void accept(byte[] input) {
        lenient(input);
        query(new String(input, StandardCharsets.ISO_8859_1));
        document(form(input)).ifPresent(json -> {
            // A body that starts like JSON is never read as a form.
            if (DeliveryJson.isForm(form(input))) {
                assertThat(json).isInstanceOf(JsonObject.class);
                byte[] written = written((JsonObject) json).getBytes(StandardCharsets.US_ASCII);
                assertThat(document(form(written))).contains(json);
            }
            assertThat(Json.parse(json.utf8())).isEqualTo(json);
        });
    }

    private static void lenient(byte[] input) {
        Map<String, List<String>> fields;
        try {
            fields = Form.lenient(input);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageMatching("[a-zA-Z0-9 -]{1,60}");
            return;
        }
        assertThat(fields.values().stream().mapToInt(List::size).sum()).isLessThanOrEqualTo(MAX_FIELDS);
        fields.forEach((name, values) -> {
            assertThat(name.length()).isLessThanOrEqualTo(input.length);
            assertThat(values).isNotEmpty();
        });
    }

    private static void query(String url) {
        UrlQuery query = UrlQuery.of(url);
        assertThat(query.one("hub.challenge").orElse("").length()).isLessThanOrEqualTo(url.length());
        assertThat(UrlQuery.of("?a=" + URLEncoder.encode("[" + ascii(url) + "]", StandardCharsets.UTF_8))
                        .one("a"))
                .contains("[" + ascii(url) + "]");
    }

    private static String ascii(String text) {
        return text.replaceAll("[^ -~]", "");
    }

    private static Optional<Json> document(WebhookRequest request) {
        try {
            return Optional.of(DeliveryJson.of(request));
        } catch (BadDeliveryException e) {
            assertThat(e).hasMessageMatching("(?s).{1,300}");
            return Optional.empty();
        }
    }

    private static WebhookRequest form(byte[] body) {
        return SignedDelivery.request(
                SignedDelivery.URL, Map.of("Content-Type", "application/x-www-form-urlencoded"), body);
    }

    private static String written(JsonObject fields) {
        return fields.members().entrySet().stream()
                .flatMap(field -> values(field.getValue()).stream()
                        .map(value -> URLEncoder.encode(field.getKey(), StandardCharsets.UTF_8) + "="
                                + URLEncoder.encode(((JsonString) value).value(), StandardCharsets.UTF_8)))
                .collect(Collectors.joining("&"));
    }

    private static List<Json> values(Json field) {
        return field instanceof JsonArray several ? several.elements() : List.of(field);
    }
}
