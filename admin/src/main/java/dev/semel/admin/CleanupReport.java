// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.SweepReport;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cleanup deleted.
 *
 * @param claims expired claims that were deleted
 * @param released claims whose owner had disappeared, and that the next caller runs again
 * @param parked claims whose owner had disappeared, and about which an operator decides
 * @param history entries of the history and numbers of replays that were deleted
 * @param others rows that further tasks deleted, by the task's name
 * @param complete whether nothing was left; false if the run failed, was stopped, or lost its lease
 */
public record CleanupReport(
        long claims, long released, long parked, long history, Map<String, Long> others, boolean complete) {
    static final CleanupReport NOTHING = new CleanupReport(0, 0, 0, 0, Map.of(), false);

    public CleanupReport {
        others = Collections.unmodifiableMap(new TreeMap<>(others));
    }

    CleanupReport plus(SweepReport sweep) {
        return new CleanupReport(
                claims + sweep.deleted(),
                released + sweep.released(),
                parked + sweep.parked(),
                history,
                others,
                complete);
    }

    CleanupReport plusHistory(long deleted) {
        return new CleanupReport(claims, released, parked, history + deleted, others, complete);
    }

    CleanupReport plusOthers(String name, long deleted) {
        Map<String, Long> sum = new TreeMap<>(others);
        sum.merge(name, deleted, Long::sum);
        return new CleanupReport(claims, released, parked, history, sum, complete);
    }

    CleanupReport completed() {
        return new CleanupReport(claims, released, parked, history, others, true);
    }

    /** All rows that were changed. */
    public long rows() {
        return claims
                + released
                + parked
                + history
                + others.values().stream().mapToLong(Long::longValue).sum();
    }

    /** One line for logs. */
    public String text() {
        StringBuilder text = new StringBuilder("deleted %d claims, released %d, parked %d, deleted %d history entries"
                .formatted(claims, released, parked, history));
        others.forEach(
                (name, rows) -> text.append(", ").append(rows).append(' ').append(name.replace('_', ' ')));
        return text.append(complete ? "" : "; rows may be left").toString();
    }

    /** As a JSON object, for the API and for {@code semel_jobs}. */
    public JsonObject json() {
        JsonObject.Builder tasks = new JsonObject.Builder();
        others.forEach((name, rows) -> tasks.put(name, JsonNumber.of(rows)));
        return new JsonObject.Builder()
                .put("claims", JsonNumber.of(claims))
                .put("released", JsonNumber.of(released))
                .put("parked", JsonNumber.of(parked))
                .put("history", JsonNumber.of(history))
                .put("others", tasks.build())
                .put("rows", JsonNumber.of(rows()))
                .put("complete", new JsonBoolean(complete))
                .build();
    }
}
