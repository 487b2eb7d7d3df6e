// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes excerpts of a delivery with several events. An excerpt is the delivery as if it had only one of them, so consumers need
 * no second format. The size of an excerpt is known without making it: a delivery of a megabyte can have gigabytes of excerpts.
 */
final class Excerpts {
    /** Changes the objects on the path to an event. */
    interface Beside {
        /**
         * The members to replace, or to remove if the value is empty: other events, and data that belongs only to them.
         *
         * @param towards the member on the path to the event
         */
        Map<String, Optional<Json>> changed(JsonObject parent, String towards, Json event);
    }

    private final Json delivery;
    private final Beside beside;
    private final JsonSizes sizes = new JsonSizes();

    private Excerpts(Json delivery, Beside beside) {
        this.delivery = delivery;
        this.beside = beside;
    }

    /** Excerpts that keep everything outside the events' array. */
    static Excerpts of(Json delivery) {
        return new Excerpts(delivery, (parent, towards, event) -> Map.of());
    }

    static Excerpts of(Json delivery, Beside beside) {
        return new Excerpts(delivery, beside);
    }

    /** @param path the member names and indexes to the event. Of an array on the path, only that element is kept */
    Fragment fragment(Json event, List<String> path) {
        return Fragment.excerpt(
                event,
                () -> size(delivery, path, event),
                () -> only(delivery, path, event).utf8());
    }

    /**
     * Excerpts of a delivery whose events are in one array.
     *
     * @param path the path to the array
     * @param events the event in each element, in order
     */
    static List<Fragment> ofArray(WebhookRequest request, Json delivery, List<String> path, List<Json> events) {
        if (events.size() == 1) {
            return List.of(Fragment.whole(events.get(0), request.body()));
        }
        Excerpts excerpts = of(delivery);
        return IntStream.range(0, Math.min(events.size(), Provider.MAX_EVENTS + 1))
                .mapToObj(i -> excerpts.fragment(events.get(i), with(path, "" + i)))
                .toList();
    }

    static List<String> with(List<String> path, String... more) {
        return Stream.concat(path.stream(), Stream.of(more)).toList();
    }

    private Json only(Json json, List<String> path, Json event) {
        if (path.isEmpty()) {
            return json;
        }
        String next = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (json instanceof JsonArray array) {
            return new JsonArray(List.of(only(array.elements().get(Integer.parseInt(next)), rest, event)));
        }
        JsonObject object = (JsonObject) json;
        Map<String, Json> members = new LinkedHashMap<>(object.members());
        members.replaceAll((name, value) -> name.equals(next) ? only(value, rest, event) : value);
        beside.changed(object, next, event).forEach((name, kept) -> {
            if (kept.isPresent()) {
                members.replace(name, kept.get());
            } else {
                members.remove(name);
            }
        });
        return new JsonObject(members);
    }

    /** The size of {@link #only}, calculated from the sizes of the whole and of the changes. */
    private int size(Json json, List<String> path, Json event) {
        if (path.isEmpty()) {
            return sizes.of(json);
        }
        String next = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (json instanceof JsonArray array) {
            return 2 + size(array.elements().get(Integer.parseInt(next)), rest, event);
        }
        JsonObject object = (JsonObject) json;
        Json child = object.member(next).orElseThrow();
        int size = sizes.of(object) - sizes.of(child) + size(child, rest, event);
        for (Map.Entry<String, Optional<Json>> change :
                beside.changed(object, next, event).entrySet()) {
            Json before = object.member(change.getKey()).orElseThrow();
            // The member on the path stays, so a removed member always takes a comma with it.
            int after = change.getValue().map(sizes::of).orElse(-2 - JsonSizes.of(change.getKey()));
            size += after - sizes.of(before);
        }
        return size;
    }
}
