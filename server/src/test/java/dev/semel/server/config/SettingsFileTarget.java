// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Reads any bytes as semel.yml. The result is settings or a {@link ConfigException} that reveals nothing of the
 * environment. Printed settings contain no secret of the environment, unless the file itself uses its variable in a
 * setting that is shown, such as a tenant's name.
 */
public final class SettingsFileTarget {
    private static final String SECRET = "not-to-be-told-0123456789-0123456789";
    private static final Map<String, String> ENVIRONMENT = Map.of("HIDDEN", SECRET, "IDEMPOTENCY_SECRET", SECRET);
    private static final Path FILE = file();

    private SettingsFileTarget() {}

    public static void accept(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        if (text.contains(SECRET)) {
            // An error message may quote the file.
            return;
        }
        try {
            Files.write(FILE, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Settings settings = SettingsReader.read(Map.of(), Optional.of(FILE), ENVIRONMENT);
            if (!text.contains("${")) {
                assertThat(settings.toString()).doesNotContain(SECRET);
            }
        } catch (ConfigException e) {
            assertThat(e.getMessage()).isNotEmpty().doesNotContain(SECRET).hasSizeLessThan(input.length + 2_048);
        }
    }

    private static Path file() {
        try {
            Path file = Files.createTempFile("semel", ".yml");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
