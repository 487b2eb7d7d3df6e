// SPDX-License-Identifier: Apache-2.0
package dev.semel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.testbroker.KafkaTopic;
import dev.semel.testservers.FreshDatabase;
import dev.semel.testservers.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumers in processes of their own are expelled from their group and killed with SIGKILL while they work. The profile chaos
 * sends more than 10,000 records.
 */
class KilledConsumerTest {
    private static final Logger LOG = LoggerFactory.getLogger(KilledConsumerTest.class);
    private static final int RECORDS = Integer.getInteger("semel.kafka.records", 400);
    private static final int PARTITIONS = 6;
    private static final Duration LIMIT = Duration.ofSeconds(60 + RECORDS / 20);

    private final KafkaTopic topic = new KafkaTopic(PARTITIONS);
    private final Database database = new Database();
    private final List<Process> processes = new ArrayList<>();
    private int duplicates;

    private static final class Database extends FreshDatabase {
        Database() {
            super(PostgresServer.shared());
        }
    }

    @BeforeEach
    void prepare() throws Exception {
        try (JdbcClaimStore store =
                JdbcClaimStore.migrating(database.pool(database.url(), 2, FreshDatabase.LONG_WAIT))) {
            assertThat(store).isNotNull();
        }
        database.execute(
                "CREATE TABLE effects (id text NOT NULL)",
                "CREATE TABLE calls (id text NOT NULL, child_key text NOT NULL)");
    }

    @AfterEach
    void close() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        database.close();
        topic.close();
    }

    private Process start(String hangAt) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsumerProgram.class.getName(),
                        topic.bootstrapServers(),
                        topic.group(),
                        topic.name(),
                        database.url(),
                        database.user(),
                        database.password(),
                        hangAt)
                .redirectError(Redirect.DISCARD)
                .start();
        processes.add(process);
        return process;
    }

    private static void awaitHanging(Process process) throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line;
        do {
            line = lines.readLine();
            assertThat(line).as("the consumer's output, until it hangs").isNotNull();
        } while (!line.equals(ConsumerProgram.HANGING));
    }

    private static void stop(Process process) throws Exception {
        process.getOutputStream().close();
        process.inputReader(StandardCharsets.UTF_8).lines().forEach(line -> {});
        assertThat(process.waitFor()).isZero();
    }

    /** Sends these messages, and each tenth one twice. */
    private void send(int from, int to) {
        for (int i = from; i < to; i++) {
            topic.sendLater(i % PARTITIONS, "m" + i);
            if (i % 10 == 0) {
                topic.sendLater((i + 1) % PARTITIONS, "m" + i);
                duplicates++;
            }
        }
        topic.flush();
    }

    @Test
    void everyMessageTakesEffectOnceAndNoOffsetIsLost() throws Exception {
        long begun = System.nanoTime();
        int half = RECORDS / 2;
        int hangingCall = half / 2 / PARTITIONS * PARTITIONS + 1;
        send(0, half);

        // The first consumer hangs after its call, before its claim is settled. The group expels it and gives its
        // partitions to the
        // second one, which waits at that message, because the first one still renews its claim.
        Process first = start("m" + hangingCall);
        awaitHanging(first);
        Process second = start("none");
        await().atMost(LIMIT).until(this::onlyTheHangingPartitionIsLeft);
        assertThat(callsOf(hangingCall)).isEqualTo(1);
        first.destroyForcibly().waitFor();
        await().atMost(LIMIT).until(topic::isConsumed);
        assertThat(callsOf(hangingCall)).isEqualTo(2);
        stop(second);

        // The third consumer hangs in the open transaction of its claim, and is killed while a fourth one joins.
        int hangingRow = half + half / 2 / PARTITIONS * PARTITIONS;
        hangingRow += hangingRow % 2;
        send(half, RECORDS);
        Process third = start("m" + hangingRow);
        awaitHanging(third);
        Process fourth = start("none");
        third.destroyForcibly().waitFor();
        await().atMost(LIMIT).until(topic::isConsumed);
        stop(fourth);

        verify();
        LOG.info(
                "{} messages, {} of them sent twice, 2 consumers killed during rebalances: {} rows in the claims'"
                        + " transactions, {} calls with {} child keys, {} ms",
                RECORDS,
                duplicates,
                database.count("effects"),
                database.count("calls"),
                database.single("SELECT count(DISTINCT child_key) FROM calls"),
                Duration.ofNanos(System.nanoTime() - begun).toMillis());
    }

    private boolean onlyTheHangingPartitionIsLeft() {
        Map<Integer, Long> lag = topic.lag();
        return lag.get(1) > 0
                && lag.entrySet().stream().allMatch(partition -> partition.getKey() == 1 || partition.getValue() == 0);
    }

    private long callsOf(int message) {
        return Long.parseLong(database.single("SELECT count(*) FROM calls WHERE id = 'm%d'".formatted(message)));
    }

    private void verify() {
        long sent = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            sent += topic.end(partition);
        }
        assertThat(sent).isEqualTo(RECORDS + duplicates);
        assertThat(topic.lag().values())
                .as("records without a committed offset")
                .containsOnly(0L);

        String even = String.valueOf((RECORDS + 1) / 2);
        String odd = String.valueOf(RECORDS / 2);
        assertThat(database.single("SELECT count(DISTINCT id) FROM effects")).isEqualTo(even);
        assertThat(database.count("effects")).as("rows, each once").isEqualTo(Long.parseLong(even));
        assertThat(database.single("SELECT count(DISTINCT id) FROM calls")).isEqualTo(odd);
        assertThat(database.single("SELECT count(DISTINCT child_key) FROM calls"))
                .as("child keys, one for each message")
                .isEqualTo(odd);
        assertThat(database.single("SELECT count(DISTINCT (id, child_key)) FROM calls"))
                .as("messages with one child key")
                .isEqualTo(odd);
    }
}
