// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All known attacks at once, against a server with the launcher's flags. A client with another address is not affected: all of
 * its requests are answered in time.
 */
@BlackBox
@Isolated
class AttackTest {
    private static final Duration LONG = Duration.ofSeconds(Integer.getInteger("semel.attack.seconds", 15));

    /** Selects attackers, to find the one that causes a failure. */
    private static final String ONLY = System.getProperty("semel.attack.only", ".*");

    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final long MAX_RESIDENT = 400L << 20;
    private static final int MILLION = 1_000_000;

    /** A claim that stays in progress during the attack. */
    private static final JsonObject HELD = new JsonObject().put("scope", "held").put("key", "held");

    private static final System.Logger LOG = System.getLogger(AttackTest.class.getName());

    /** In production, and with the profile {@code chaos} in development too. */
    private static List<Environment> environments() {
        return Boolean.getBoolean("semel.attack.development")
                ? List.of(Environment.SQLITE_PRODUCTION, Environment.SQLITE)
                : List.of(Environment.SQLITE_PRODUCTION);
    }

    @ParameterizedTest
    @MethodSource("environments")
    void aClientGoesOnWhileOthersAttack(Environment environment) {
        Configuration configuration = environment.production ? Configuration.production() : Configuration.development();
        try (RunningServer server = environment.fresh(configuration, launcherFlags())) {
            Caller evil = server.caller();
            Caller good = server.caller();
            prepare(evil);
            WellBehaved client = new WellBehaved(good);
            client.once();

            long until = System.nanoTime() + LONG.toNanos();
            List<Attacker> attackers = attackers(server, evil, until).stream()
                    .filter(attacker -> attacker.toString().matches(ONLY))
                    .toList();
            List<Thread> threads = attackers.stream()
                    .map(attacker -> new Thread(attacker, attacker.toString()))
                    .toList();
            threads.forEach(Thread::start);
            while (System.nanoTime() < until && server.process().isAlive()) {
                client.once();
            }
            threads.forEach(AttackTest::join);

            LOG.log(System.Logger.Level.INFO, "{0}: {1}; attacks: {2}", environment, client, attackers);
            assertThat(server.process().isAlive()).as(server.process().output()).isTrue();
            assertThat(client.refused()).as("responses without success").isEmpty();
            assertThat(client.slowest()).as("the slowest response").isLessThan(LIMIT);
            assertThat(RawExchange.isAnswered(server.process().port()))
                    .as("a new connection is answered")
                    .isTrue();
            assertThat(attackers)
                    .allSatisfy(attacker ->
                            assertThat(attacker.sent()).as("%s", attacker).isPositive());
            assertThat(resident(server.process())).as("resident memory").isLessThan(MAX_RESIDENT);
        }
    }

    /** Reads the flags from the launcher, so that the tested flags are the ones that users run. */
    private static List<String> launcherFlags() {
        try {
            String launcher = Files.readString(Path.of("..", "..", "semel"));
            int start = launcher.indexOf("-Xms");
            String command = launcher.substring(start, launcher.indexOf("${SEMEL_JAVA_OPTS", start));
            List<String> flags = new ArrayList<>(Arrays.stream(command.split("[\\s\\\\]+"))
                    .filter(word -> word.startsWith("-X"))
                    .toList());
            assertThat(flags).contains("-Xmx192m", "-XX:+ExitOnOutOfMemoryError");
            // The other servers of the suite are short-lived and run without the second JIT compiler.
            flags.add("-XX:TieredStopAtLevel=4");
            return flags;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The data that the attackers request: 120 events, 150 webhooks and 60 results of nearly a megabyte each. */
    private static void prepare(Caller evil) {
        String large = "x".repeat(MILLION);
        for (int i = 0; i < 120; i++) {
            JsonObject event = Ledger.event(evil.tenant()).put("payload", new JsonObject().put("large", large));
            assertThat(evil.postText(
                                    Ledger.INGEST,
                                    Ledger.entry("large-" + i, event).encode())
                            .status())
                    .isEqualTo(201);
        }
        for (int i = 0; i < 150; i++) {
            JsonObject body = new JsonObject().put("id", "evt_" + i).put("large", large);
            assertThat(evil.send(WebhookSenders.stripe(evil, body)).status()).isEqualTo(200);
        }
        for (int i = 0; i < 60; i++) {
            Claims.succeed(evil, Claims.granted(evil, large(i)), large);
        }
        Claims.granted(evil, HELD.copy().put("lease_seconds", 600));
    }

    private static JsonObject large(int number) {
        return new JsonObject().put("scope", "large").put("key", "large-" + number);
    }

    private List<Attacker> attackers(RunningServer server, Caller evil, long until) {
        int port = server.process().port();
        String identity = evil.identity().entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
                .collect(Collectors.joining());
        String post = " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" + identity;
        String get = " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + identity + "\r\n";
        String ledger = "GET /api/ledger/events?limit=1000&org_id=" + evil.tenant() + get;
        List<Attacker> all = new ArrayList<>();
        all.add(new Attacker(
                "tiny headers",
                port,
                "127.0.1.1",
                300,
                ascii("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + "a:b\r\n".repeat(5_000)),
                false,
                until));
        all.add(new Attacker(
                "heads without bodies",
                port,
                "127.0.1.2",
                400,
                ascii("POST /webhooks/stripe HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
                        + ("X-Padding: " + "p".repeat(100) + "\r\n").repeat(120) + "\r\n"),
                false,
                until));
        all.add(new Attacker("ledger pages, unread", port, "127.0.1.3", 60, ascii(ledger), false, until));
        all.add(new Attacker("ledger pages, read", port, "127.0.1.3", 1, ascii(ledger), true, until));
        all.add(new Attacker(
                "inbox pages, unread", port, "127.0.1.4", 60, ascii("GET /v1/inbox?limit=1000" + get), false, until));
        all.add(new Attacker(
                "one result 60 times",
                port,
                "127.0.1.5",
                20,
                json("/v1/claims/batch", post, batch(IntStream.generate(() -> 0).limit(60))),
                false,
                until));
        all.add(new Attacker(
                "60 results",
                port,
                "127.0.1.5",
                20,
                json("/v1/claims/batch", post, batch(IntStream.range(0, 60))),
                false,
                until));
        all.add(new Attacker(
                "one large result", port, "127.0.1.6", 100, json("/v1/claims", post, large(7).encode()), false, until));
        String numbers = Ledger.entry(
                        "n",
                        Ledger.event(evil.tenant())
                                .put(
                                        "payload",
                                        new JsonObject()
                                                .put(
                                                        "numbers",
                                                        new JsonArray(IntStream.range(0, 1_000)
                                                                .boxed()
                                                                .toList()))))
                .encode();
        all.add(new Attacker(
                "lines of numbers",
                port,
                "127.0.1.7",
                4,
                json("/api/ledger/ingest/batch", post, (numbers + "\n").repeat(3 * MILLION / numbers.length())),
                true,
                until));
        all.add(new Attacker("a webhook of many", port, "127.0.1.8", 8, whatsApp(evil, many()), true, until));
        all.add(new Attacker(
                "a webhook of values",
                port,
                "127.0.1.9",
                8,
                whatsApp(evil, "{\"values\":[" + "1,".repeat(450_000) + "1]}"),
                true,
                until));
        all.add(new Attacker(
                "webhooks without an end",
                port,
                "127.0.1.10",
                60,
                ascii("POST /webhooks/stripe HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n"
                        + "x".repeat(990_000)),
                false,
                until));
        all.add(new Attacker(
                "requests ahead",
                port,
                "127.0.1.11",
                800,
                ascii("GET /openapi.yaml HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(60)),
                false,
                until));
        all.add(new Attacker(
                "documents of values",
                port,
                "127.0.1.12",
                30,
                json("/v1/claims", post, "{\"scope\":\"s\",\"key\":\"k\",\"inputs\":[" + "1,".repeat(99_000) + "1]}"),
                false,
                until));
        String wait = HELD.copy().put("wait_ms", 30_000).encode();
        all.add(new Attacker(
                "waiters that leave",
                port,
                "127.0.1.13",
                100,
                ascii(
                        "POST /v1/claims?%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s%sContent-Length: %d\r\n\r\n%s"
                                .formatted(
                                        "p".repeat(8_000),
                                        identity,
                                        ("X-Padding: " + "p".repeat(100) + "\r\n").repeat(120),
                                        wait.length(),
                                        wait)),
                false,
                until));
        return all;
    }

    private static byte[] ascii(String text) {
        return Attacker.ascii(text);
    }

    private static byte[] json(String path, String head, String body) {
        return ascii("POST " + path + head + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static String batch(IntStream numbers) {
        return new JsonObject()
                .put("claims", new JsonArray(numbers.mapToObj(AttackTest::large).toList()))
                .encode();
    }

    /** 433 KB with 2,000 messages. */
    private static String many() {
        JsonArray messages = new JsonArray();
        for (int i = 0; i < 2_000; i++) {
            messages.add(new JsonObject().put("id", "wamid." + i).put("text", "t".repeat(180)));
        }
        JsonObject value = new JsonObject().put("messaging_product", "whatsapp").put("messages", messages);
        return new JsonObject()
                .put(
                        "entry",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("changes", new JsonArray().add(new JsonObject().put("value", value)))))
                .encode();
    }

    private static byte[] whatsApp(Caller evil, String body) {
        String signature = "sha256=" + Calls.hmac(WebhookSenders.whatsAppSecret(), body);
        return json(
                "/webhooks/" + evil.tenant() + "/whatsapp",
                " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Hub-Signature-256: " + signature
                        + "\r\n",
                body);
    }

    private static long resident(SemelProcess process) {
        try (Stream<String> lines =
                Files.lines(Path.of("/proc", "" + process.pid(), "status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                            .sum()
                    * 1_024;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
