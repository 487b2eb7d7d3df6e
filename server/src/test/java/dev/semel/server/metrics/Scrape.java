// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The series of one answer of {@code GET /metrics}: name and labels, and the value. */
public record Scrape(Map<String, Double> series) {
    public static Scrape of(InProcessServer server) {
        Reply reply = server.get("/metrics");
        if (reply.status() != 200) {
            throw new AssertionError(reply.status() + " " + reply.body());
        }
        return parse(reply.body());
    }

    static Scrape parse(String text) {
        Map<String, Double> series = new TreeMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            series.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        });
        return new Scrape(series);
    }

    /** What has been added to these series since an earlier scrape. Unchanged ones are left out. */
    public Map<String, Double> since(Scrape before, Predicate<String> which) {
        Map<String, Double> added = new TreeMap<>();
        series.forEach((name, value) -> {
            double more = value - before.series.getOrDefault(name, 0.0);
            if (more != 0 && which.test(name)) {
                added.put(name, more);
            }
        });
        return added;
    }

    double value(String name) {
        Double value = series.get(name);
        if (value == null) {
            throw new AssertionError("No series " + name + " among " + series.keySet());
        }
        return value;
    }
}
