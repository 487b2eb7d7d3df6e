// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Members that are never stored, at any depth. {@code stack} blocks every member of that name. {@code error.message} blocks
 * a {@code message} directly inside an {@code error}. Case, underscores and hyphens are ignored, and so are arrays in between.
 */
final class BlockList {
    private final List<List<String>> paths;

    private BlockList(List<List<String>> paths) {
        this.paths = paths;
    }

    static BlockList of(String... entries) {
        return new BlockList(List.of()).and(entries);
    }

    BlockList and(String... entries) {
        List<List<String>> all = new ArrayList<>(paths);
        for (String entry : entries) {
            List<String> path = new ArrayList<>();
            for (String name : entry.split("\\.", -1)) {
                String normal = MemberName.normal(name);
                if (normal.isEmpty()) {
                    throw new IllegalArgumentException(
                            "A blocked member must have a name, such as stack or error.message, but is: " + entry);
                }
                path.add(normal);
            }
            all.add(List.copyOf(path));
        }
        return new BlockList(List.copyOf(all));
    }

    Json leftOutOf(Json json) {
        return without(json, new ArrayList<>());
    }

    private Json without(Json json, List<String> here) {
        if (json instanceof JsonArray array) {
            return new JsonArray(array.elements().stream()
                    .map(element -> without(element, here))
                    .toList());
        }
        if (!(json instanceof JsonObject object)) {
            return json;
        }
        Map<String, Json> kept = new LinkedHashMap<>();
        object.members().forEach((name, value) -> {
            here.add(MemberName.normal(name));
            if (!blocks(here)) {
                kept.put(name, without(value, here));
            }
            here.remove(here.size() - 1);
        });
        return new JsonObject(kept);
    }

    private boolean blocks(List<String> here) {
        return paths.stream().anyMatch(path -> endsWith(here, path));
    }

    private static boolean endsWith(List<String> here, List<String> path) {
        int from = here.size() - path.size();
        return from >= 0 && here.subList(from, here.size()).equals(path);
    }
}
