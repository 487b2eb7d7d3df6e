// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Sha256;
import dev.semel.server.config.Setting;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stream ends when its token is withdrawn. */
class WithdrawnTokenTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(60)
    void itsStreamEnds() throws Exception {
        try (SemelServer server = SemelServer.start(settings("kept", "withdrawn"));
                Socket kept = stream(server.port(), "kept");
                Socket withdrawn = stream(server.port(), "withdrawn")) {
            BufferedReader goesOn = reader(kept);
            BufferedReader ends = reader(withdrawn);
            event(goesOn);
            event(ends);

            server.reload(settings("kept"));

            while (ends.readLine() != null) {
                // What was sent before.
            }
            event(goesOn);
            event(goesOn);
        }
    }

    private static Socket stream(int port, String token) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
        socket.getOutputStream()
                .write(("GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
                                + "Connection: close\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void event(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith("data: ")) {
            line = lines.readLine();
        }
        assertThat(line).isNotNull();
    }

    private Settings settings(String... tokens) throws IOException {
        StringBuilder yaml = new StringBuilder("secret: 0123456789abcdef0123456789abcdef\ntokens:\n");
        for (String token : tokens) {
            yaml.append("  - {sha256: \"%s\", tenant: acme, actor: %s, role: viewer}\n"
                    .formatted(HexFormat.of().formatHex(Sha256.of(token.getBytes(StandardCharsets.UTF_8))), token));
        }
        Path file = Files.writeString(folder.resolve("semel.yml"), yaml);
        return SettingsReader.read(
                Map.of(
                        Setting.PORT,
                        "0",
                        Setting.PRODUCTION,
                        "true",
                        Setting.DATA_DIR,
                        folder.resolve("data").toString()),
                Optional.of(file),
                Map.of());
    }
}
