// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void showsEveryKindOfTrafficAndLeavesNothingBehind() throws Exception {
        String url;
        Path folder;
        try (Demo demo = new Demo()) {
            demo.start(0);
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
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(orderOfTheTour(url)).isEqualTo("unknown"));
            release(url);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(orderOfTheTour(url)).isEqualTo("succeeded"));
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

    /** INT is Ctrl-C, and HUP is a terminal that is closed. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void aSignalWhileItRunsLeavesNoTemporaryFileBehind(String signal, @TempDir Path folder) throws Exception {
        Path port = folder.resolve("port");
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        stopWhen(signal, temporary, folder, () -> Files.exists(port), "--print-port-file", port.toString());
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aSignalWhileItStartsLeavesNothingBehind(@TempDir Path folder) throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        stopWhen("TERM", temporary, folder, () -> !isEmpty(temporary));
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aFailureAfterTheStartIsAFailureOfTheCommand(@TempDir Path folder) throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Process process = start(temporary, folder, "--print-port-file", "/no/such/folder/port");
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aFolderThatCannotBeWrittenIsReported(@TempDir Path folder) throws Exception {
        Process process = start(folder.resolve("missing"), folder);
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(Files.readString(folder.resolve("out"))).contains("semel: Cannot create a folder in " + folder);
    }

    /** Sends a signal to a demo. It must end normally. */
    private static void stopWhen(
            String signal, Path temporary, Path folder, Callable<Boolean> reached, String... options) throws Exception {
        Process process = start(temporary, folder, options);
        try {
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(5)).until(reached);
            assertThat(new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid()))
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve("out")))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Path temporary, Path folder, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("os.name").equals("Linux")) {
            // A build in the background ignores SIGINT and SIGHUP, and its processes inherit that.
            command.addAll(List.of("env", "--default-signal=INT,HUP"));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "--class-path",
                System.getProperty("java.class.path"),
                "dev.semel.server.Main",
                "demo",
                "--port",
                "0"));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static String get(String url) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static JsonObject post(String url, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return (JsonObject) Json.parse(CLIENT.send(request, HttpResponse.BodyHandlers.ofString())
                .body()
                .getBytes(StandardCharsets.UTF_8));
    }

    /** The one claim of the order that the demo asks its users to find. */
    private static JsonObject payout(String url) throws IOException, InterruptedException {
        JsonArray found = (JsonArray) post(url + "/v1/keys/lookup", "{\"key\":\"order-1042\"}")
                .members()
                .get("keys");
        assertThat(found.elements()).hasSize(1);
        return (JsonObject) found.elements().get(0);
    }

    private static String orderOfTheTour(String url) throws IOException, InterruptedException {
        return ((JsonString) payout(url).members().get("status")).value();
    }

    private static void release(String url) throws IOException, InterruptedException {
        JsonObject payout = payout(url);
        post(
                "%s/v1/keys/%s/release"
                        .formatted(url, ((JsonString) payout.members().get("id")).value()),
                "{\"fence\":%s,\"reason\":\"the bank has no such payout\"}"
                        .formatted(((JsonNumber) payout.members().get("fence")).text()));
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
