// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;

/**
 * Visits what a document holds besides its structure: scalars, and arrays and objects without anything in them. What
 * stands too deep to be pointed at counts as part of the last place that can be.
 */
final class Leaves {
    /** Longer pointers are not spelled out: a hostile name, repeated for each leaf below it, would cost its square. */
    static final int MAX_POINTER = 512;

    private final Visitor visitor;
    private final StringBuilder shown = new StringBuilder();
    private final StringBuilder exact = new StringBuilder();
    private final ShownNames names = new ShownNames();

    private Leaves(Visitor visitor) {
        this.visitor = visitor;
    }

    /** In canonical order, so that a sketch cut short holds the same leaves whatever the order of the members was. */
    static void visit(Json json, Visitor visitor) {
        new Leaves(visitor).walk(json);
    }

    /** Whether there is anything left to visit for; false ends the visit. */
    private boolean walk(Json json) {
        if (json instanceof JsonObject object && !object.members().isEmpty()) {
            for (Map.Entry<String, Json> member : new TreeMap<>(object.members()).entrySet()) {
                if (!step(member.getKey(), member.getValue())) {
                    return false;
                }
            }
            return true;
        }
        if (json instanceof JsonArray array && !array.elements().isEmpty()) {
            for (int i = 0; i < array.elements().size(); i++) {
                if (!step(Integer.toString(i), array.elements().get(i))) {
                    return false;
                }
            }
            return true;
        }
        return visitor.leaf(shown.toString(), exact.toString(), json);
    }

    private boolean step(String token, Json value) {
        int shownBefore = shown.length();
        int exactBefore = exact.length();
        if (exactBefore + token.length() > MAX_POINTER) {
            return visitor.leaf(shown.toString(), exact + "/" + escaped(token), value);
        }
        shown.append('/').append(escaped(names.enter(token)));
        exact.append('/').append(escaped(token));
        boolean on = walk(value);
        names.leave(token);
        shown.setLength(shownBefore);
        exact.setLength(exactBefore);
        return on;
    }

    private static String escaped(String token) {
        return token.replace("~", "~0").replace("/", "~1");
    }

    /** Sees each leaf. */
    interface Visitor {
        /**
         * Sees a leaf.
         *
         * @param shown the pointer as it may be shown: member names are somebody's data as well
         * @param exact the pointer as it is
         * @return whether to go on
         */
        boolean leaf(String shown, String exact, Json value);
    }
}
