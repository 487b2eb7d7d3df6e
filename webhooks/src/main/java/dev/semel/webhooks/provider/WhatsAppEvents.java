// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the events of a WhatsApp delivery. An excerpt omits the other events and their {@code contacts}. The contact of a
 * message has the {@code wa_id} that the message is {@code from}; the contact of a status has its {@code recipient_id}. If
 * the contact of an event is unknown, all contacts stay.
 */
final class WhatsAppEvents implements Excerpts.Beside {
    private static final List<String> KINDS = List.of("messages", "statuses");
    private static final String CONTACTS = "contacts";

    /** An event and its path. */
    record Place(List<String> path, Json event) {}

    private final List<Place> all = new ArrayList<>();
    private final Set<Json> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Json, Map<String, List<Json>>> contacts = new IdentityHashMap<>();

    private WhatsAppEvents() {}

    static WhatsAppEvents of(Json delivery) {
        WhatsAppEvents events = new WhatsAppEvents();
        List<Json> entries = DeliveryJson.elements(delivery, "entry");
        for (int i = 0; i < entries.size(); i++) {
            List<Json> changes = DeliveryJson.elements(entries.get(i), "changes");
            for (int j = 0; j < changes.size() && !events.isTooMany(); j++) {
                events.addChange(changes.get(j), List.of("entry", "" + i, "changes", "" + j));
            }
        }
        events.addAtTheTop(delivery);
        return events;
    }

    /** The events in order. Stops after one more than the maximum. */
    List<Place> all() {
        return all;
    }

    private boolean isTooMany() {
        return all.size() > Provider.MAX_EVENTS;
    }

    private void addChange(Json change, List<String> at) {
        int before = all.size();
        for (String kind : KINDS) {
            add(DeliveryJson.at(change, "value", kind), Excerpts.with(at, "value", kind));
        }
        if (all.size() == before) {
            all.add(new Place(at, change));
        }
    }

    /**
     * Adds events at the top of the document, but only if all of them have an id. A flat document may use the same member
     * names for other data. An element without an id would be missing from every excerpt.
     */
    private void addAtTheTop(Json delivery) {
        boolean named = KINDS.stream()
                .flatMap(kind -> DeliveryJson.elements(delivery, kind).stream())
                .allMatch(event -> DeliveryJson.text(event, "id").isPresent());
        if (named) {
            KINDS.forEach(kind -> add(DeliveryJson.at(delivery, kind), List.of(kind)));
        }
    }

    private void add(Optional<Json> found, List<String> at) {
        if (!(found.orElse(null) instanceof JsonArray array)) {
            return;
        }
        arrays.add(array);
        for (int k = 0; k < array.elements().size() && !isTooMany(); k++) {
            all.add(new Place(Excerpts.with(at, "" + k), array.elements().get(k)));
        }
    }

    @Override
    public Map<String, Optional<Json>> changed(JsonObject parent, String towards, Json event) {
        Map<String, Optional<Json>> changed = new LinkedHashMap<>();
        for (String kind : KINDS) {
            if (!kind.equals(towards)
                    && parent.member(kind).filter(arrays::contains).isPresent()) {
                changed.put(kind, Optional.empty());
            }
        }
        if (KINDS.contains(towards) && parent.member(CONTACTS).orElse(null) instanceof JsonArray array) {
            List<Json> own = DeliveryJson.text(event, "from")
                    .or(() -> DeliveryJson.text(event, "recipient_id"))
                    .map(id -> byId(array).getOrDefault(id, List.of()))
                    .orElse(List.of());
            if (!own.isEmpty()) {
                changed.put(CONTACTS, Optional.of(new JsonArray(own)));
            }
        }
        return changed;
    }

    /** The contacts by their id. Empty if one of them has no id, because it could belong to any event. */
    private synchronized Map<String, List<Json>> byId(JsonArray array) {
        return contacts.computeIfAbsent(array, unknown -> {
            Map<String, List<Json>> found = new LinkedHashMap<>();
            for (Json contact : array.elements()) {
                Optional<String> id = DeliveryJson.text(contact, "wa_id");
                if (id.isEmpty()) {
                    return Map.of();
                }
                found.computeIfAbsent(id.get(), first -> new ArrayList<>()).add(contact);
            }
            return found;
        });
    }
}
