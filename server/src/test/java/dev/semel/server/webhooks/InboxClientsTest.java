// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.server.http.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that ask for events and do not receive them. Nobody would acknowledge these events before their lease ends. */
class InboxClientsTest {
    private static final String OTHER_ADDRESS = "127.0.0.2";
    private static final String LONG_LEASE = "{\"max\":100,\"lease_seconds\":3600}";

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(
                folder, "limits: {connections_per_address: 2, headers_seconds: 600, body_seconds: 5}", Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String take(String tenant, String body) {
        return ("POST /v1/inbox/take HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Organization-Id: %s\r\n"
                        + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s")
                .formatted(tenant, body.length(), body);
    }

    private static Reply taken(String tenant) {
        return server.post("/v1/inbox/take", "{\"max\":1,\"lease_seconds\":3600}", "X-Organization-Id", tenant);
    }

    private static void deliver(String tenant, int number, String text) {
        assertThat(server.post(
                                "/webhooks/%s/custom".formatted(tenant),
                                "{\"id\":\"%d\",\"text\":\"%s\"}".formatted(number, text))
                        .status())
                .isEqualTo(200);
    }

    /** Whether the other address may have another connection. */
    private static boolean hasRoom() {
        try (RawClient next = new RawClient(OTHER_ADDRESS, server.port())) {
            next.send("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            return next.until("}").startsWith("HTTP/1.1 200");
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void nothingIsTakenForAClientThatLeft() throws Exception {
        try (RawClient idle = new RawClient(OTHER_ADDRESS, server.port())) {
            try (RawClient gone = new RawClient(OTHER_ADDRESS, server.port())) {
                gone.send(take("gone", "{\"wait_ms\":30000,\"lease_seconds\":3600}"));
            }
            // The server has noticed it when the address has room again.
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(InboxClientsTest::hasRoom);
            deliver("gone", 1, "");

            assertThat(InboxTakeHttpTest.ids(taken("gone"))).hasSize(1);
        }
    }

    @Test
    void eventsInAnAnswerThatNobodyReadsAreGivenBack() throws Exception {
        int events = 8;
        for (int i = 0; i < events; i++) {
            deliver("unread", i, "x".repeat(500_000));
        }
        try (Socket stalled = new Socket()) {
            stalled.setReceiveBufferSize(4_096);
            stalled.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            stalled.getOutputStream().write(take("unread", LONG_LEASE).getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(stalled.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");

            Set<String> again = new HashSet<>();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                Reply one = taken("unread");
                if (one.status() == 200) {
                    again.addAll(InboxTakeHttpTest.ids(one));
                }
                return again.size() == events;
            });
        }
    }
}
