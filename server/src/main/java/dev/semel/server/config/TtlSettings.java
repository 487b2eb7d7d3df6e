// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.time.Duration;
import java.util.Optional;

/**
 * How long settled results are kept.
 *
 * @param idempotency default for claims, payments and proxy routes
 * @param webhook overrides a provider's default; empty if not set
 */
public record TtlSettings(Duration idempotency, Optional<Duration> webhook, Duration step) {
    private static final Duration DEFAULT = Duration.ofHours(24);

    /** @param max the value of limits.ttl_hours */
    static TtlSettings read(SettingSources sources, SettingsSection section, Duration max) {
        TtlSettings ttl = new TtlSettings(
                sources.find(Setting.IDEMPOTENCY_TTL, section)
                        .map(value -> hours(value, max))
                        .orElse(DEFAULT),
                sources.find(Setting.WEBHOOK_TTL, section).map(value -> hours(value, max)),
                sources.find(Setting.STEP_TTL, section)
                        .map(value -> hours(value, max))
                        .orElse(DEFAULT));
        section.done();
        return ttl;
    }

    static Duration hours(SettingValue value, Duration max) {
        Duration hours = value.hours();
        requireWithin(value.where(), hours, max);
        return hours;
    }

    /**
     * Rejects a retention above limits.ttl_hours.
     *
     * @param where the setting's location
     */
    static void requireWithin(String where, Duration ttl, Duration max) {
        if (ttl.compareTo(max) > 0) {
            throw new ConfigException(
                    "%s must be at most %d hours (limits.ttl_hours): lower it, or raise limits.ttl_hours"
                            .formatted(where, max.toHours()));
        }
    }
}
