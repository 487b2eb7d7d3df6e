// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * CloudEvents over HTTP, in all three modes: structured, binary (attributes in headers) and batched. The key is
 * {@code ev_<source>:<id>}. Deliveries are not signed. The handshake is an {@code OPTIONS} request.
 */
final class CloudEvents implements Provider {
    private final List<String> origins;

    CloudEvents(ProviderConfig config) {
        origins = config.all("allowed_origins");
    }

    @Override
    public Signature signature() {
        return Signature.NONE;
    }

    @Override
    public List<Fragment> split(WebhookRequest request) {
        if (request.headers().one("ce-id").isPresent()) {
            return List.of(Fragment.whole(binary(request), request.body()));
        }
        Json delivery = DeliveryJson.json(request);
        if (!(delivery instanceof JsonArray events)) {
            return List.of(Fragment.whole(delivery, request.body()));
        }
        return Excerpts.ofArray(request, delivery, List.of(), events.elements());
    }

    /** The event of a binary delivery as it would be in structured mode. */
    private static Json binary(WebhookRequest request) {
        Map<String, Json> members = new LinkedHashMap<>();
        request.headers().all().forEach((name, values) -> {
            if (name.startsWith("ce-") && values.size() == 1) {
                members.put(name.substring("ce-".length()), text(values.get(0)));
            }
        });
        Optional<String> type = request.headers().one("Content-Type");
        type.ifPresent(value -> members.put("datacontenttype", text(value)));
        if (request.body().length > 0) {
            boolean json = type.map(value -> value.toLowerCase(Locale.ROOT)).stream()
                    .anyMatch(value -> value.startsWith("application/json") || value.contains("+json"));
            if (json) {
                members.put("data", DeliveryJson.json(request));
            } else {
                members.put("data_base64", text(Base64.getEncoder().encodeToString(request.body())));
            }
        }
        return new JsonObject(members);
    }

    private static Json text(String value) {
        try {
            return new JsonString(value);
        } catch (IllegalArgumentException e) {
            throw new BadDeliveryException("A header contains invalid text");
        }
    }

    @Override
    public boolean signsAll() {
        return false;
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> source = DeliveryJson.text(event, "source");
        Optional<String> id = DeliveryJson.text(event, "id");
        if (source.isEmpty() || id.isEmpty()) {
            throw DeliveryJson.withoutKey("a source and an id");
        }
        return EventKeys.strong("ev_" + ColonJoined.of(source.get(), id.get()));
    }

    @Override
    public Optional<Handshake> handshake(WebhookRequest request) {
        if (!request.method().equals("OPTIONS")) {
            return Optional.empty();
        }
        return Optional.of(request.headers()
                .one("WebHook-Request-Origin")
                .filter(origin -> origins.isEmpty() || origins.contains("*") || origins.contains(origin))
                .map(CloudEvents::granted)
                .orElse(Handshake.forbidden()));
    }

    private static Handshake granted(String origin) {
        return new Handshake(
                200, "", Map.of("WebHook-Allowed-Origin", origin, "WebHook-Allowed-Rate", "*", "Allow", "POST"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(1);
    }
}
