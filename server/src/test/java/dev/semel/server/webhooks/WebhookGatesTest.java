// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Semel;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gates on a database without an inbox, such as MySQL. */
class WebhookGatesTest {
    private static final Secrets SECRETS = Secrets.of(Secret.of("0123456789abcdef0123456789abcdef"));

    @TempDir
    Path folder;

    @Test
    void aProviderThatNeedsAnInboxIsRefusedAtTheStart() throws IOException {
        Settings settings = settings("webhooks: {stripe: {secrets: [x]}}");
        try (Semel semel = semel()) {
            assertThatThrownBy(
                            () -> new WebhookGates(semel, settings, Optional.empty(), notice -> {}, forward -> forward))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("webhooks.stripe.sink: {forward:");
        }
    }

    @Test
    void oneThatIsForwardedIsServedAndTheOthersAreNot() throws IOException {
        Settings settings = settings("webhooks: {stripe: {sink: {forward: \"http://127.0.0.1:9\"}}}");
        try (Semel semel = semel()) {
            WebhookGates gates = new WebhookGates(semel, settings, Optional.empty(), notice -> {}, forward -> forward);

            assertThat(gates.find("stripe")).isPresent();
            assertThat(gates.find("github")).isEmpty();
            assertThat(gates.find("nobody")).isEmpty();
        }
    }

    private static Semel semel() {
        return Semel.on(new MemoryClaimStore()).secrets(SECRETS).build();
    }

    private Settings settings(String yaml) throws IOException {
        return SettingsReader.read(
                Map.of(), Optional.of(Files.writeString(folder.resolve("semel.yml"), yaml)), Map.of());
    }
}
