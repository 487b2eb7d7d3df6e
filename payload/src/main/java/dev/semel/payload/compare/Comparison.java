// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Compares two documents recursively. A member that exists in only one of them is one change. */
final class Comparison {
    private final int maxChanges;
    private final List<Change> changes = new ArrayList<>();
    private final StringBuilder pointer = new StringBuilder();
    private final ShownNames names = new ShownNames();
    private boolean complete = true;

    Comparison(int maxChanges) {
        this.maxChanges = maxChanges;
    }

    Difference of(Json before, Json now) {
        compare(before, now);
        return new Difference(changes, complete);
    }

    private void compare(Json before, Json now) {
        if (before instanceof JsonObject one && now instanceof JsonObject two) {
            TreeSet<String> both = new TreeSet<>(one.members().keySet());
            both.addAll(two.members().keySet());
            for (String name : both) {
                step(
                        name,
                        one.member(name).stream().toList(),
                        two.member(name).stream().toList());
            }
        } else if (before instanceof JsonArray one && now instanceof JsonArray two) {
            int longer = Math.max(one.elements().size(), two.elements().size());
            for (int i = 0; i < longer; i++) {
                step(Integer.toString(i), at(one, i), at(two, i));
            }
        } else if (!before.equals(now)) {
            note(Change.Kind.CHANGED);
        }
    }

    private static List<Json> at(JsonArray array, int index) {
        return index < array.elements().size() ? List.of(array.elements().get(index)) : List.of();
    }

    /** Each document has one value at this place, or none. */
    private void step(String token, List<Json> before, List<Json> now) {
        if (!complete) {
            return;
        }
        int length = pointer.length();
        String shown = names.enter(token).replace("~", "~0").replace("/", "~1");
        pointer.append('/').append(shown);
        if (before.isEmpty()) {
            note(Change.Kind.ADDED);
        } else if (now.isEmpty()) {
            note(Change.Kind.REMOVED);
        } else {
            compare(before.get(0), now.get(0));
        }
        pointer.setLength(length);
        names.leave(token);
    }

    private void note(Change.Kind kind) {
        if (changes.size() == maxChanges) {
            complete = false;
        } else {
            changes.add(new Change(kind, pointer.toString()));
        }
    }
}
