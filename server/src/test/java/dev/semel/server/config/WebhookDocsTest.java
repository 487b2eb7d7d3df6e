// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.webhooks.provider.Providers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings in docs/webhooks.md are sufficient to start each provider in production. */
class WebhookDocsTest {
    private static final Path DOCS = Path.of("..", "docs", "webhooks.md");

    @TempDir
    Path folder;

    @Test
    void aLineForEachProviderThatProductionTakes() throws IOException {
        String yaml = lines();
        Map<String, String> environment = new HashMap<>();
        Matcher variables = Pattern.compile("\\$\\{([A-Z_]+)}").matcher(yaml);
        while (variables.find()) {
            environment.put(variables.group(1), "0123456789abcdef0123456789abcdef");
        }
        // These two have a special format. The second is a public key without a known private key.
        environment.put("STANDARD_WEBHOOKS_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        environment.put("SVIX_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        environment.put(
                "SENDGRID_VERIFICATION_KEY",
                "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==");
        environment.put("IDEMPOTENCY_SECRET", "0123456789abcdef0123456789abcdef");
        Path file = Files.writeString(
                folder.resolve("semel.yml"),
                "tokens: [{sha256: %s, tenant: t, actor: a, role: client}]%n".formatted("ab".repeat(32)) + yaml);

        Settings settings = SettingsReader.read(Map.of(Setting.PRODUCTION, "true"), Optional.of(file), environment);

        assertThat(settings.webhooks().values())
                .extracting(WebhookSettings::type)
                .containsExactlyInAnyOrderElementsOf(Providers.names());
        assertThat(settings.webhooks().get("orders").type()).isEqualTo("custom");
    }

    private static String lines() throws IOException {
        String docs = Files.readString(DOCS);
        int section = docs.indexOf("## Start with your provider");
        int begin = docs.indexOf("```yaml\n", section) + "```yaml\n".length();
        return docs.substring(begin, docs.indexOf("```", begin));
    }
}
