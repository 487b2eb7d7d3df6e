// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.SqliteFile;
import dev.semel.journal.Journal;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.server.config.Settings;
import dev.semel.server.config.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which providers have a gate. */
class WebhookGatesTest {
    private static final Secrets SECRETS = Secrets.of(Secret.of("0123456789abcdef0123456789abcdef"));

    @TempDir
    Path folder;

    @Test
    void inDevelopmentEveryProviderIsServedWithoutSettings() throws Exception {
        withGates("webhooks: {stripe: {sink: {forward: \"http://127.0.0.1:9\"}}}", gates -> {
            assertThat(gates.find("stripe")).isPresent();
            assertThat(gates.find("github")).isPresent();
            assertThat(gates.find("nobody")).isEmpty();
        });
    }

    private void withGates(String yaml, Consumer<WebhookGates> test) throws Exception {
        JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("semel.db"));
        DataSource file = SqliteFile.open(folder.resolve("semel.db"));
        Journal.schema(file).migrate();
        try (Semel semel = Semel.on(store).secrets(SECRETS).build();
                Journal journal = Journal.on(file).inbox(SECRETS).build()) {
            test.accept(new WebhookGates(
                    semel, settings(yaml), Optional.of(journal.inbox()), notice -> {}, forward -> forward));
        } finally {
            store.close();
        }
    }

    private Settings settings(String yaml) throws IOException {
        return SettingsReader.read(
                Map.of(), Optional.of(Files.writeString(folder.resolve("semel.yml"), yaml)), Map.of());
    }
}
