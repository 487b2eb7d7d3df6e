// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of statistics and alerts.
 *
 * @param window how far back the statistics go, and over which the alerts are evaluated
 * @param minimum how many events a scope must have in the window before an alert can fire
 * @param off the names of alerts that never fire
 * @param webhook who is told when an alert fires and when it clears
 */
public record AlertSettings(Duration window, long minimum, List<String> off, Optional<Webhook> webhook) {
    /** The names of the alerts. */
    public static final List<String> NAMES = List.of("take_over_rate", "hit_rate", "failure_rate");

    private static final int MIN_SECRET_BYTES = 16;

    public AlertSettings {
        off = List.copyOf(off);
    }

    static AlertSettings read(SettingsSection section) {
        AlertSettings alerts = new AlertSettings(
                section.value("window_seconds")
                        .map(value -> value.seconds(10, 86_400))
                        .orElse(Duration.ofMinutes(15)),
                section.value("minimum_events")
                        .map(value -> value.whole(1, 1_000_000_000))
                        .orElse(100),
                section.valuesOf("off").stream().map(AlertSettings::name).toList(),
                section.isSection("webhook") ? Optional.of(webhook(section.section("webhook"))) : Optional.empty());
        section.done();
        return alerts;
    }

    /**
     * The receiver of alerts.
     *
     * @param secret signs the messages
     */
    public record Webhook(URI url, SecretText secret) {}

    private static Webhook webhook(SettingsSection section) {
        Webhook webhook = new Webhook(
                section.value("url")
                        .map(value -> value.url(List.of("http", "https")))
                        .orElseThrow(() -> new ConfigException(section.at("url") + " is required")),
                section.value("secret")
                        .map(AlertSettings::secret)
                        .orElseThrow(() -> new ConfigException(
                                section.at("secret") + " is required: create one with `openssl rand -hex 32`")));
        section.done();
        return webhook;
    }

    private static SecretText secret(SettingValue value) {
        if (value.text().getBytes(StandardCharsets.UTF_8).length < MIN_SECRET_BYTES) {
            throw value.wrong(
                    "must have at least %d bytes: create one with `openssl rand -hex 32`".formatted(MIN_SECRET_BYTES));
        }
        return new SecretText(value.text());
    }

    private static String name(SettingValue value) {
        return Optional.of(value.text())
                .filter(NAMES::contains)
                .orElseThrow(() -> value.wrong("must be one of " + String.join(", ", NAMES)));
    }
}
