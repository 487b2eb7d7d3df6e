// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.time.Duration;
import java.util.Optional;

/**
 * How long settled results are kept.
 *
 * @param idempotency claims, payments and API routes that say nothing else
 * @param webhook before a provider's own; empty where nobody set it
 */
public record TtlSettings(Duration idempotency, Optional<Duration> webhook, Duration step) {
    private static final Duration USUAL = Duration.ofHours(24);

    /** @param max what limits.ttl_hours allows */
    static TtlSettings read(SettingSources sources, SettingsSection section, Duration max) {
        TtlSettings ttl = new TtlSettings(
                sources.find(Setting.IDEMPOTENCY_TTL, section)
                        .map(value -> hours(value, max))
                        .orElse(USUAL),
                sources.find(Setting.WEBHOOK_TTL, section).map(value -> hours(value, max)),
                sources.find(Setting.STEP_TTL, section)
                        .map(value -> hours(value, max))
                        .orElse(USUAL));
        section.done();
        return ttl;
    }

    static Duration hours(SettingValue value, Duration max) {
        Duration hours = value.hours();
        requireWithin(value.where(), hours, max);
        return hours;
    }

    /**
     * Refuses a time that is longer than limits.ttl_hours allows.
     *
     * @param where the setting
     */
    static void requireWithin(String where, Duration ttl, Duration max) {
        if (ttl.compareTo(max) > 0) {
            throw new ConfigException(
                    "%s must be at most %d hours (limits.ttl_hours): lower it, or raise limits.ttl_hours"
                            .formatted(where, max.toHours()));
        }
    }
}
