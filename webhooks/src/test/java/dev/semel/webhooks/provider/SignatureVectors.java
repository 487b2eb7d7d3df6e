// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Published signatures, checked by recomputing them. */
final class SignatureVectors {
    private SignatureVectors() {}

    static List<Json> of(String provider) {
        try (InputStream file = SignatureVectors.class.getResourceAsStream("/signatures.json")) {
            return ((JsonArray) Json.parse(file.readAllBytes()))
                    .elements().stream()
                            .filter(vector -> text(vector, "provider").equals(provider))
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Json vector, String name) {
        return DeliveryJson.text(vector, name).orElseThrow();
    }

    static Map<String, String> headers(Json vector) {
        Map<String, String> headers = new LinkedHashMap<>();
        ((JsonObject) DeliveryJson.at(vector, "headers").orElseThrow())
                .members()
                .forEach((name, value) ->
                        headers.put(name, DeliveryJson.text(value).orElseThrow()));
        return headers;
    }

    /** A delivery from a vector whose provider needs only a secret. */
    static SignedDelivery sample(String type, String setting, Json vector, String secret, long at) {
        return SignedDelivery.of(type, setting, secret, headers(vector), text(vector, "body"), at);
    }
}
