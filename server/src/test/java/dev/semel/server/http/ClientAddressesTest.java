// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.InProcessServer;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits on connections and memory per client address. */
class ClientAddressesTest {
    private static final String LIVE = "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    private static final String CLAIM = "POST /v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n";

    @TempDir
    Path folder;

    private final List<RawClient> clients = new ArrayList<>();

    private InProcessServer server(String yaml) {
        return InProcessServer.in(folder, yaml, Map.of());
    }

    private RawClient from(String address, InProcessServer server) {
        try {
            RawClient client = new RawClient(address, server.port());
            clients.add(client);
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    private static boolean isAnswered(RawClient client) {
        try {
            return client.send(LIVE).until("\"up\"}").startsWith("HTTP/1.1 200");
        } catch (IOException e) {
            return false;
        }
    }

    /** An IPv6 client is identified by its network, but a proxy by its whole address. */
    @Test
    void aTrustedProxyIsKnownByItsWholeAddress() throws IOException {
        Path file = Files.writeString(
                folder.resolve("semel.yml"), "server: {trusted_proxies: [\"2001:db8:1:2::5\", \"10.0.0.5\"]}");
        Settings settings = SettingsReader.read(Map.of(), Optional.of(file), Map.of());
        ClientAddresses addresses =
                new ClientAddresses(settings.limits(), settings.server().trustedProxies());

        assertThat(addresses.enter("2001:db8:1:2::5").bounded()).isFalse();
        assertThat(addresses.enter("2001:db8:1:2::6").bounded()).isTrue();
        assertThat(addresses.enter("2001:db8:1:2:0:0:0:5").bounded()).isFalse();
        assertThat(addresses.enter("10.0.0.5").bounded()).isFalse();
        assertThat(addresses.enter("10.0.0.6").bounded()).isTrue();
    }

    @Test
    void anAddressHasItsShareOfConnections() {
        try (InProcessServer server = server("limits: {connections: 100, connections_per_address: 5}")) {
            for (int i = 0; i < 5; i++) {
                assertThat(isAnswered(from("127.0.0.2", server))).isTrue();
            }

            assertThat(isAnswered(from("127.0.0.2", server))).isFalse();
            assertThat(isAnswered(from("127.0.0.3", server))).isTrue();

            clients.get(0).abort();
            Awaitility.await("the place is free")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> isAnswered(from("127.0.0.2", server)));
        }
    }

    @Test
    void anAddressWithFewConnectionsReplacesOneWithMany() {
        try (InProcessServer server = server("limits: {connections: 10, connections_per_address: 10}")) {
            for (int i = 0; i < 10; i++) {
                assertThat(isAnswered(from("127.0.0.2", server))).isTrue();
            }
            assertThat(isAnswered(from("127.0.0.2", server)))
                    .as("all slots are in use")
                    .isFalse();

            for (int i = 0; i < 4; i++) {
                assertThat(isAnswered(from("127.0.0.3", server))).isTrue();
            }
            assertThat(isAnswered(from("127.0.0.4", server))).isTrue();
            long left = clients.subList(0, 10).stream()
                    .filter(ClientAddressesTest::isAnswered)
                    .count();
            assertThat(left).as("remaining connections of the first address").isEqualTo(5);
        }
    }

    @Test
    void trustedProxiesAreUnboundedAndNameTheirClients() throws IOException {
        try (InProcessServer server = server("""
                server: {drain_seconds: 1, trusted_proxies: [127.0.0.2, 10.0.0.0/8]}
                limits: {connections: 100, connections_per_address: 5, memory_bytes: 1000000, address_bytes: 100000}
                """)) {
            for (int i = 0; i < 8; i++) {
                assertThat(isAnswered(from("127.0.0.2", server))).isTrue();
            }
            // Two bodies of one client, which the proxy reports, do not fit. An entry that the client itself put before
            // does not help.
            holdABody(server, "127.0.0.2", "X-Forwarded-For: 192.0.2.1\r\n");
            assertThat(second(server, "127.0.0.2", "X-Forwarded-For: 1.2.3.4, 192.0.2.1, 10.1.1.1\r\n"))
                    .startsWith("HTTP/1.1 503 ");
            assertThat(second(server, "127.0.0.2", "X-Forwarded-For: 192.0.2.2\r\n"))
                    .startsWith("HTTP/1.1 4");
            // Clients that are not trusted proxies cannot report another address.
            holdABody(server, "127.0.0.3", "X-Forwarded-For: 192.0.2.3\r\n");
            assertThat(second(server, "127.0.0.3", "X-Forwarded-For: 192.0.2.4\r\n"))
                    .startsWith("HTTP/1.1 503 ");
        }
    }

    /** Sends nearly all of a body and waits until the server holds it. */
    private void holdABody(InProcessServer server, String address, String header) throws IOException {
        from(address, server)
                .send(CLAIM + "Expect: 100-continue\r\n" + header + "\r\n")
                .read("HTTP/1.1 100 Continue\r\n\r\n")
                .send("a".repeat(59_000));
        String other = CLAIM + header + "\r\n" + "a".repeat(60_000);
        Awaitility.await("the first body has arrived")
                .atMost(Duration.ofSeconds(60))
                .until(() -> from(address, server).send(other).until("\r\n\r\n").startsWith("HTTP/1.1 503"));
    }

    private String second(InProcessServer server, String address, String header) throws IOException {
        return from(address, server)
                .send(CLAIM + header + "\r\n" + "a".repeat(60_000))
                .until("\r\n\r\n");
    }

    @Test
    void aClientThatDoesNotReadIsCutOff() throws IOException {
        try (InProcessServer server = server("limits: {body_seconds: 1, connections_per_address: 1}")) {
            RawClient client = from("127.0.0.2", server);
            // Far more than the operating system buffers. The server must wait for the client and gives up.
            client.send("GET /openapi.yaml HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(1_000));

            Awaitility.await("its place is free")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> isAnswered(from("127.0.0.2", server)));
            assertThatThrownBy(client::untilClosed)
                    .as("the connection was reset")
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void pipeliningClientsDoNotDelayOthers() throws IOException {
        try (InProcessServer server = server("limits: {connections: 500, connections_per_address: 500}")) {
            for (int i = 0; i < 200; i++) {
                from("127.0.0.2", server);
            }
            for (RawClient one : clients) {
                one.send(LIVE.repeat(59) + LIVE.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
            }

            assertThat(isAnswered(new RawClient("127.0.0.3", server.port()))).isTrue();
            for (RawClient one : clients) {
                assertThat(one.untilClosed().split("HTTP/1.1 200", -1)).hasSize(61);
            }
        }
    }
}
