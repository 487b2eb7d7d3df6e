// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.trigger;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** Counts who processed what. Safe for use by concurrent threads while deliveries run. */
public final class TriggerReport {
    /** The number of events that are listed. All are counted. */
    private static final int LISTED = 20;

    private static final int MAX_DETAIL = 300;

    private final List<TriggerTarget> targets;
    private final int copies;
    private final List<Map<DeliveryResult.Kind, Long>> counts = new ArrayList<>();
    private final int[] processedTimes;
    private final int[] firstProcessed;
    private final int[] micros;
    private final IntFunction<String> names;
    private Optional<String> problem = Optional.empty();

    TriggerReport(List<TriggerTarget> targets, int events, int copies, IntFunction<String> names) {
        this.targets = targets;
        this.copies = copies;
        targets.forEach(target -> counts.add(new EnumMap<>(DeliveryResult.Kind.class)));
        this.processedTimes = new int[events];
        this.firstProcessed = new int[events];
        this.micros = new int[Math.multiplyExact(events, copies)];
        this.names = names;
    }

    synchronized void add(int delivery, DeliveryResult result, long nanos) {
        counts.get(delivery % targets.size()).merge(result.kind(), 1L, Long::sum);
        micros[delivery] = (int) Math.min(Integer.MAX_VALUE, nanos / 1_000);
        int event = delivery / copies;
        if (result.kind() == DeliveryResult.Kind.PROCESSED && processedTimes[event]++ == 0) {
            firstProcessed[event] = delivery;
        }
        if (problem.isEmpty() && !result.detail().isEmpty()) {
            problem = Optional.of(result.detail()
                    .substring(0, Math.min(MAX_DETAIL, result.detail().length())));
        }
    }

    /** Whether each event was processed exactly once, and every other delivery was recognized as its duplicate. */
    public synchronized boolean isExactlyOnce() {
        return Arrays.stream(processedTimes).allMatch(times -> times == 1)
                && count(DeliveryResult.Kind.PROCESSED) + count(DeliveryResult.Kind.ALREADY_PROCESSED) == micros.length;
    }

    private long count(DeliveryResult.Kind kind) {
        return counts.stream()
                .mapToLong(target -> target.getOrDefault(kind, 0L))
                .sum();
    }

    /** The report as JSON. Only the first events are listed. */
    public synchronized JsonObject json() {
        JsonObject.Builder all = new JsonObject.Builder()
                .put("events", JsonNumber.of(processedTimes.length))
                .put("deliveries", JsonNumber.of(micros.length));
        for (DeliveryResult.Kind kind : DeliveryResult.Kind.values()) {
            all.put(word(kind), JsonNumber.of(count(kind)));
        }
        all.put(
                        "processed_never",
                        JsonNumber.of(Arrays.stream(processedTimes)
                                .filter(times -> times == 0)
                                .count()))
                .put(
                        "processed_twice",
                        JsonNumber.of(Arrays.stream(processedTimes)
                                .filter(times -> times > 1)
                                .count()))
                .put("latency_ms", latencies())
                .put("targets", new JsonArray(byTarget()))
                .put("processed_by", new JsonArray(byEvent()));
        problem.ifPresent(text -> all.put("first_problem", new JsonString(text)));
        return all.build();
    }

    private Json latencies() {
        int[] sorted = micros.clone();
        Arrays.sort(sorted);
        JsonObject.Builder all = new JsonObject.Builder();
        for (int percent : new int[] {50, 95, 99, 100}) {
            int at = Math.max(0, (int) Math.ceil(sorted.length * (percent / 100.0)) - 1);
            all.put(percent == 100 ? "max" : "p" + percent, JsonNumber.of((sorted[at] + 500) / 1_000));
        }
        return all.build();
    }

    private List<Json> byTarget() {
        List<Json> rows = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            JsonObject.Builder row = new JsonObject.Builder()
                    .put("url", new JsonString(targets.get(i).name()));
            for (DeliveryResult.Kind kind : DeliveryResult.Kind.values()) {
                row.put(word(kind), JsonNumber.of(counts.get(i).getOrDefault(kind, 0L)));
            }
            rows.add(row.build());
        }
        return rows;
    }

    private List<Json> byEvent() {
        List<Json> rows = new ArrayList<>();
        for (int event = 0; event < Math.min(LISTED, processedTimes.length); event++) {
            JsonObject.Builder row = new JsonObject.Builder()
                    .put("event", new JsonString(names.apply(event)))
                    .put("times", JsonNumber.of(processedTimes[event]));
            if (processedTimes[event] > 0) {
                int delivery = firstProcessed[event];
                row.put("delivery", JsonNumber.of(delivery % copies + 1L))
                        .put(
                                "url",
                                new JsonString(
                                        targets.get(delivery % targets.size()).name()));
            }
            rows.add(row.build());
        }
        return rows;
    }

    private static String word(DeliveryResult.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
