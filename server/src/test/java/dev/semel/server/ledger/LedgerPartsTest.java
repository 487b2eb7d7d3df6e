// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.server.InProcessServer;
import dev.semel.server.http.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A batch is written in parts. A part ends when its parsed lines would take too much memory, even if they have few
 * bytes.
 */
class LedgerPartsTest {
    /** Numbers in an event's payload. Parsed, they take about 160 KB; the line has 2 KB. */
    private static final int NUMBERS = 1_000;

    /** 20 KB in total: far below the limits on lines and bytes of a part. */
    private static final int LINES = 10;

    /** Ten of these are less than 16 KiB, the minimum that a batch must send within limits.body_seconds. */
    private static final String TRICKLE = " ".repeat(1_000);

    @TempDir
    Path folder;

    @Test
    void linesOfManyNumbersAreWrittenBeforeTheBatchEnds() throws Exception {
        try (InProcessServer server = InProcessServer.in(folder, "", Map.of());
                RawClient client = new RawClient(server.port())) {
            client.send("""
                    POST /api/ledger/ingest/batch HTTP/1.1\r
                    Host: 127.0.0.1\r
                    Content-Type: application/x-ndjson\r
                    Transfer-Encoding: chunked\r
                    \r
                    """);
            for (int i = 0; i < LINES; i++) {
                chunk(client, line("numbers-" + i, "1,".repeat(NUMBERS - 1) + "1"));
            }

            // The batch has not ended, but its first part is answered.
            assertThat(client.until("\"status\":201")).startsWith("HTTP/1.1 200 ");

            chunk(client, line("the last", "1"));
            client.send("0\r\n\r\n");
            assertThat(client.until("\r\n0\r\n\r\n").split("\"status\":201", -1).length - 1)
                    .as("answers after the first")
                    .isEqualTo(LINES);
        }
    }

    @Test
    void aBatchThatTricklesIsCutOff() throws Exception {
        try (InProcessServer server = InProcessServer.in(folder, "limits: {body_seconds: 1}", Map.of());
                RawClient client = new RawClient(server.port())) {
            client.send("POST /api/ledger/ingest/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n");

            // At most ten times a second.
            await().pollInterval(Duration.ofMillis(100)).until(() -> isClosed(client));
        }
    }

    private static boolean isClosed(RawClient client) {
        try {
            client.send(TRICKLE);
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    private static String line(String key, String numbers) {
        return """
                {"idempotency_key":"%s","event":{"org_id":"acme","event_type":"counted","payload":[%s]}}
                """.formatted(key, numbers);
    }

    private static void chunk(RawClient client, String line) throws Exception {
        client.send(Integer.toHexString(line.length()) + "\r\n" + line + "\r\n");
    }
}
