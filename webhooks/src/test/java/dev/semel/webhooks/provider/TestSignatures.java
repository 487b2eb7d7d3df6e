// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Makes signatures as senders do. */
final class TestSignatures {
    private TestSignatures() {}

    static String hex(Hmac hmac, String secret, String content) {
        return Encoding.HEX.encode(hmac.of(utf8(secret), utf8(content)));
    }

    static String base64(Hmac hmac, String secret, String content) {
        return Encoding.BASE64.encode(hmac.of(utf8(secret), utf8(content)));
    }

    /** The URL-encoded form of a vector. */
    static String form(Json vector) {
        return ((JsonObject) DeliveryJson.at(vector, "form").orElseThrow())
                .members().entrySet().stream()
                        .map(field -> field.getKey() + "="
                                + URLEncoder.encode(
                                        DeliveryJson.text(field.getValue()).orElseThrow(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
