// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.compare;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;

/**
 * Visits the leaves of a document: scalars, empty arrays and empty objects. A value whose pointer would be too long is part
 * of the last ancestor with a pointer of allowed length.
 */
final class Leaves {
    /** The maximum length of a pointer. Without it, a long name, repeated for each leaf below, would cost quadratic space. */
    static final int MAX_POINTER = 512;

    private final Visitor visitor;
    private final StringBuilder shown = new StringBuilder();
    private final StringBuilder exact = new StringBuilder();
    private final ShownNames names = new ShownNames();

    private Leaves(Visitor visitor) {
        this.visitor = visitor;
    }

    /** Visits in canonical order, so that an incomplete sketch has the same leaves for any order of the members. */
    static void visit(Json json, Visitor visitor) {
        new Leaves(visitor).walk(json);
    }

    /** Returns false if the visit must end. */
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

    /** Receives each leaf. */
    interface Visitor {
        /**
         * Receives a leaf.
         *
         * @param shown the pointer for display, with masked phone numbers in member names
         * @param exact the unmasked pointer
         * @return whether to continue
         */
        boolean leaf(String shown, String exact, Json value);
    }
}
