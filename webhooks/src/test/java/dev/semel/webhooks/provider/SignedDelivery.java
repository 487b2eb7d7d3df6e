// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * A delivery signed by its sender.
 *
 * @param secret the secret or public key of the signature
 * @param by makes a provider with these active secrets
 * @param at when it was sent
 * @param timed whether its age is checked
 * @param covered which bytes of the body the signature covers
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record SignedDelivery(
        String secret,
        Function<List<String>, Provider> by,
        String url,
        Map<String, String> headers,
        byte[] body,
        Instant at,
        boolean timed,
        IntPredicate covered) {
    static final String URL = "https://hooks.example/webhooks/any";

    static SignedDelivery of(
            String type, String setting, String secret, Map<String, String> headers, String body, long at) {
        return new SignedDelivery(
                secret,
                secrets -> Providers.of(type, ProviderConfig.none().with(setting, secrets.toArray(String[]::new))),
                URL,
                headers,
                body.getBytes(StandardCharsets.UTF_8),
                Instant.ofEpochSecond(at),
                at != 0,
                position -> true);
    }

    SignedDelivery at(String otherUrl) {
        return new SignedDelivery(secret, by, otherUrl, headers, body, at, timed, covered);
    }

    SignedDelivery by(Function<List<String>, Provider> other) {
        return new SignedDelivery(secret, other, url, headers, body, at, timed, covered);
    }

    SignedDelivery covering(IntPredicate positions) {
        return new SignedDelivery(secret, by, url, headers, body, at, timed, positions);
    }

    SignedDelivery sent(Instant moment) {
        return new SignedDelivery(secret, by, url, headers, body, moment, false, covered);
    }

    WebhookRequest request() {
        return request(url, headers, body);
    }

    WebhookRequest with(String header, String value) {
        Map<String, String> changed = new LinkedHashMap<>(headers);
        changed.put(header, value);
        return request(url, changed, body);
    }

    WebhookRequest without(String header) {
        Map<String, String> changed = new LinkedHashMap<>(headers);
        changed.remove(header);
        return request(url, changed, body);
    }

    WebhookRequest withBody(byte[] other) {
        return request(url, headers, other);
    }

    static WebhookRequest request(String url, Map<String, String> headers, byte[] body) {
        return new WebhookRequest("POST", url, DeliveryHeaders.single(headers), body, "acme");
    }

    static WebhookRequest request(Map<String, String> headers, String body) {
        return request(URL, headers, body.getBytes(StandardCharsets.UTF_8));
    }
}
