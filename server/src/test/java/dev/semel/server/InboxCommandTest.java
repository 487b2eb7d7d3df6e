// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code inbox ...} against a running server. */
class InboxCommandTest {
    @TempDir
    Path folder;

    @Test
    void anEventIsListedAndReplayed() {
        try (InProcessServer server = InProcessServer.in(folder)) {
            String url = "http://127.0.0.1:" + server.port();
            assertThat(server.post("/webhooks/acme/stripe", "{\"id\":\"evt_1\",\"type\":\"t\"}")
                            .status())
                    .isEqualTo(200);

            CommandRun list = CommandRun.of("inbox", "list", "--url", url, "--tenant", "acme", "--json");
            JsonObject event =
                    (JsonObject) ((JsonArray) list.json().member("events").orElseThrow())
                            .elements()
                            .get(0);
            String id = ((JsonString) event.member("id").orElseThrow()).value();
            assertThat(CommandRun.of("inbox", "list", "--url", url, "--tenant", "acme", "--unacknowledged")
                            .out())
                    .contains(id, "stripe", "no");
            assertThat(CommandRun.of("inbox", "list", "--url", url, "--tenant", "acme", "--provider", "paypal")
                            .out())
                    .doesNotContain(id);

            CommandRun replayed =
                    CommandRun.of("inbox", "replay", id, "--reason", "lost", "--url", url, "--tenant", "acme");
            assertThat(replayed.exit()).as(replayed.err()).isZero();

            assertThat(CommandRun.of("inbox", "replay", id, "--reason", "x", "--url", url, "--tenant", "other")
                            .exit())
                    .as("another tenant's event")
                    .isEqualTo(1);
            assertThat(CommandRun.of("inbox", "replay", "../keys", "--reason", "x", "--url", url)
                            .exit())
                    .isEqualTo(2);
            assertThat(CommandRun.of("inbox", "list", "--data-dir", folder.toString())
                            .err())
                    .contains("needs a running server");
        }
    }
}
