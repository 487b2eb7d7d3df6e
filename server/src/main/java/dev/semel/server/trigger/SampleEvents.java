// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.trigger;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonPointer;
import dev.semel.payload.json.JsonString;
import dev.semel.server.config.SecretText;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.WebhookRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Makes the events of one run. An event is the file of its provider's type in the resources of this package, with ids of its own.
 * The same index is always the same event, so that it can be delivered again without being kept.
 */
final class SampleEvents {
    private static final String HEADER = "header:";

    private final Map<String, List<SecretText>> options;
    private final String headerLines;
    private final String body;
    private final String run;
    private final Instant time;

    /**
     * @param options the settings of the provider; a custom one says where its key is
     * @param run a random text, so that no other run has the same events
     */
    SampleEvents(String type, Map<String, List<SecretText>> options, String run, Instant time) {
        this.options = type.equals("custom") ? options : Map.of();
        this.run = run;
        this.time = time.truncatedTo(ChronoUnit.MILLIS);
        String file = file(type);
        int empty = file.indexOf("\n\n");
        this.headerLines = file.substring(0, empty);
        this.body = file.substring(empty + 2);
    }

    private static String file(String type) {
        try (InputStream file = SampleEvents.class.getResourceAsStream(type + ".http")) {
            byte[] bytes = Objects.requireNonNull(file, "Every provider has a sample: " + type)
                    .readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of an event in reports: the id that its body or its headers contain. */
    String id(int index) {
        return digest(index).substring(0, 24);
    }

    /** The unsigned delivery of an event to this URL. */
    WebhookRequest delivery(int index, String url) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : filled(headerLines, index).split("\n", -1)) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        String filled = filled(body, index).strip();
        byte[] bytes = options.isEmpty()
                ? filled.getBytes(StandardCharsets.UTF_8)
                : described(filled, id(index), headers).utf8();
        return new WebhookRequest("POST", url, DeliveryHeaders.single(headers), bytes, "");
    }

    private String filled(String template, int index) {
        String digest = digest(index);
        return template.replace("{{id}}", id(index))
                .replace(
                        "{{uuid}}",
                        digest.substring(24).replaceFirst("(.{8})(.{4}).(.{3}).(.{3})(.{12}).*", "$1-$2-4$3-8$4-$5"))
                .replace(
                        "{{number}}",
                        "1" + Long.toString(Long.parseLong(digest.substring(0, 13), 16) % 1_000_000_000_000_000L))
                .replace("{{seconds}}", Long.toString(time.getEpochSecond()))
                .replace("{{time}}", time.toString());
    }

    private String digest(int index) {
        return Sha256.hex((run + ":" + index).getBytes(StandardCharsets.UTF_8));
    }

    /** A custom event has its id at the first configured key, and is an item if the delivery is a list. */
    private Json described(String filled, String id, Map<String, String> headers) {
        Json event = Json.parse(filled.getBytes(StandardCharsets.UTF_8));
        List<String> keys = values("key");
        if (!keys.isEmpty() && keys.get(0).startsWith(HEADER)) {
            headers.put(keys.get(0).substring(HEADER.length()), id);
        } else if (!keys.isEmpty()) {
            event = placed(event, JsonPointer.of(keys.get(0)).tokens(), new JsonString(id));
        }
        List<String> items = values("items");
        return items.isEmpty()
                ? event
                : placed(
                        new JsonObject(Map.of()), JsonPointer.of(items.get(0)).tokens(), new JsonArray(List.of(event)));
    }

    private List<String> values(String name) {
        return options.getOrDefault(name, List.of()).stream()
                .map(SecretText::reveal)
                .toList();
    }

    private static Json placed(Json parent, List<String> path, Json value) {
        if (path.isEmpty()) {
            return value;
        }
        Map<String, Json> members =
                new LinkedHashMap<>(parent instanceof JsonObject object ? object.members() : Map.of());
        Json child = members.getOrDefault(path.get(0), new JsonObject(Map.of()));
        members.put(path.get(0), placed(child, path.subList(1, path.size()), value));
        return new JsonObject(members);
    }
}
