// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A test case: requests and their expected answers.
 *
 * @param steps the steps, in which {@code <id>} is not replaced yet
 */
record Case(String name, List<Json> steps) {
    /** The cases of one entry of a file: one case, or one for each element of {@code each}. */
    static List<Case> of(Json json) {
        Members members = Members.of("A case", json);
        List<Json> each = members.list("each");
        Json name = members.json("name").orElseThrow(() -> new IllegalArgumentException("A case must have a name"));
        List<Json> steps = members.list("steps");
        members.end();
        if (each.isEmpty()) {
            return List.of(filled(name, steps, Map.of()));
        }
        List<Case> cases = new ArrayList<>();
        for (Json one : each) {
            Map<String, String> values = new LinkedHashMap<>();
            Members.of("each of " + name, one)
                    .all()
                    .forEach((key, value) -> values.put(key, ((JsonString) value).value()));
            cases.add(filled(name, steps, values));
        }
        return cases;
    }

    private static Case filled(Json name, List<Json> steps, Map<String, String> values) {
        return new Case(
                ((JsonString) Placeholders.filled(name, values)).value(),
                steps.stream().map(step -> Placeholders.filled(step, values)).toList());
    }

    /** The steps with this id. Two runs of a case share no path, key or gate. */
    List<Step> steps(String id) {
        Map<String, Members> requests = new LinkedHashMap<>();
        List<Step> read = new ArrayList<>();
        for (Json step : steps) {
            read.add(Step.of(
                    Members.of(
                            "step %d of %s".formatted(read.size() + 1, name),
                            Placeholders.filled(step, Map.of("id", id))),
                    requests,
                    id));
        }
        return read;
    }
}
