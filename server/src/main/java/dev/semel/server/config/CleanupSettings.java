// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * When expired rows are deleted, and how long other rows are kept.
 *
 * @param every the interval; not used if {@code at} is set
 * @param at the time of day; empty for an interval
 * @param zone the time zone of {@code at}
 * @param history how long take-overs, conflicts and parks are kept
 * @param decisions how long operators' decisions are kept; empty for ever
 * @param inbox how long inbox events are kept after their acknowledgement
 * @param calls how long call events are kept; empty for ever
 * @param ledgerKeys how long keys of ledger events are kept; empty for ever
 */
public record CleanupSettings(
        Duration every,
        Optional<LocalTime> at,
        ZoneId zone,
        Duration history,
        Optional<Duration> decisions,
        Duration inbox,
        Optional<Duration> calls,
        Optional<Duration> ledgerKeys) {
    static CleanupSettings read(SettingsSection section) {
        Optional<SettingValue> every = section.value("every_minutes");
        Optional<SettingValue> at = section.value("at");
        if (every.isPresent() && at.isPresent()) {
            throw at.get().wrong("cannot be set together with cleanup.every_minutes: remove one of them");
        }
        Optional<SettingValue> zone = section.value("time_zone");
        if (zone.isPresent() && at.isEmpty()) {
            throw zone.get().wrong("has no effect without cleanup.at: set cleanup.at, or remove it");
        }
        CleanupSettings settings = new CleanupSettings(
                every.map(value -> Duration.ofMinutes(value.whole(1, 10_080))).orElse(Duration.ofHours(1)),
                at.map(CleanupSettings::time),
                zone.map(CleanupSettings::zone).orElse(ZoneOffset.UTC),
                days(section, "history_days").orElse(Duration.ofDays(30)),
                days(section, "decisions_days"),
                days(section, "inbox_days").orElse(Duration.ofDays(30)),
                days(section, "calls_days"),
                days(section, "ledger_keys_days"));
        section.done();
        return settings;
    }

    private static Optional<Duration> days(SettingsSection section, String key) {
        return section.value(key).map(value -> Duration.ofDays(value.whole(1, 36_500)));
    }

    private static LocalTime time(SettingValue value) {
        try {
            return LocalTime.parse(value.text());
        } catch (DateTimeParseException e) {
            throw value.wrong("must be a time of day such as \"03:00\"");
        }
    }

    private static ZoneId zone(SettingValue value) {
        try {
            return ZoneId.of(value.text());
        } catch (DateTimeException e) {
            throw value.wrong("must be a time zone such as Europe/Berlin or UTC");
        }
    }
}
