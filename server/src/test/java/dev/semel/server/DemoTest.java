// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DemoTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void showsEveryKindOfTrafficAndLeavesNothingBehind() throws Exception {
        String url;
        Path folder;
        try (Demo demo = Demo.start(0)) {
            url = demo.url();
            folder = demo.folder();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(counters(url))
                            .containsKeys(
                                    "idempotency_hit_total",
                                    "idempotency_miss_total",
                                    "idempotency_conflict_total",
                                    "takeovers",
                                    "webhook_duplicate_total",
                                    "step_duplicate_total",
                                    "payment_duplicate_total"));
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(items(url + "/v1/keys?status=unknown"))
                            .as("parked claims")
                            .isGreaterThanOrEqualTo(4));
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(items(url + "/v1/inbox"))
                            .as("events of the inbox")
                            .isPositive());
            assertThat(Files.exists(folder.resolve("data"))).isTrue();
        }
        assertThat(folder).doesNotExist();
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(Thread::isAlive)
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("semel-demo")))
                .isEmpty();
        assertThatThrownBy(() -> get(url + "/health")).isInstanceOf(ConnectException.class);
    }

    private static String get(String url) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static int items(String url) throws IOException, InterruptedException {
        JsonObject page = (JsonObject) Json.parse(get(url).getBytes(StandardCharsets.UTF_8));
        return page.members().values().stream()
                .filter(JsonArray.class::isInstance)
                .mapToInt(list -> ((JsonArray) list).elements().size())
                .sum();
    }

    /** The counters that are not zero, added up over their labels. */
    private static Map<String, Double> counters(String url) throws IOException, InterruptedException {
        try (Stream<String> lines = get(url + "/metrics").lines()) {
            return lines
                    .filter(line -> !line.startsWith("#"))
                    // Take-overs are a label of another counter.
                    .map(line -> line.contains("outcome=\"takeover\"") ? "takeovers{" + line : line)
                    .map(line -> line.split("[ {]", 2))
                    .collect(Collectors.toMap(
                            line -> line[0],
                            line -> Double.parseDouble(line[1].substring(line[1].lastIndexOf(' ') + 1)),
                            Double::sum,
                            TreeMap::new))
                    .entrySet()
                    .stream()
                    .filter(counter -> counter.getValue() > 0)
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        }
    }
}
