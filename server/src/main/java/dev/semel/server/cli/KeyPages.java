// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.cli;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads pages of claims until there are enough. A page about a rare state may be empty although there are more. */
final class KeyPages {
    private final AdminTarget admin;
    private final OutputOptions output;

    KeyPages(AdminTarget admin, OutputOptions output) {
        this.admin = admin;
        this.output = output;
    }

    /** One page with all that was found, and with the cursor of the last page that was read. */
    JsonObject read(Map<String, String> filters, String limit) {
        Map<String, String> query = new LinkedHashMap<>(filters);
        query.put("limit", limit);
        JsonObject page = admin.get("/v1/keys", query);
        List<Json> found = new ArrayList<>(keys(page));
        // The first answer means that the limit is a number.
        int wanted = Integer.parseInt(limit);
        for (int pages = 1; found.size() < wanted && hasNext(page); pages++) {
            output.count("Read %d pages, found %d claims".formatted(pages, found.size()));
            query.put("after", KeyText.text(page, "next"));
            query.put("limit", String.valueOf(wanted - found.size()));
            page = admin.get("/v1/keys", query);
            found.addAll(keys(page));
        }
        Map<String, Json> members = new LinkedHashMap<>(page.members());
        members.put("keys", new JsonArray(found));
        return new JsonObject(members);
    }

    private static List<Json> keys(JsonObject page) {
        return ((JsonArray) page.member("keys").orElseThrow()).elements();
    }

    /** A look-up by prefix has no cursor. */
    private static boolean hasNext(JsonObject page) {
        return page.member("more").equals(Optional.of(new JsonBoolean(true)))
                && !page.member("next").equals(Optional.of(JsonNull.NULL));
    }
}
