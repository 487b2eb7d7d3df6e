// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import dev.semel.server.config.SecretText;
import dev.semel.server.config.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Secrets, and retention against the senders' retries. */
final class SettingChecks {
    /** Random hexadecimal text of 64 digits has all 16 of them; a random secret has more than 10 with near certainty. */
    private static final long MIN_DIFFERENT = 10;

    private SettingChecks() {}

    static List<Finding> of(Settings settings) {
        List<Finding> all = new ArrayList<>();
        if (settings.secret().isEmpty() && !settings.database().isSqlite()) {
            all.add(Finding.error(
                    "secret",
                    "No secret is set, so each instance makes its own, and instances do not recognize each other's keys",
                    "Set on every instance: export IDEMPOTENCY_SECRET=<one output of `openssl rand -hex 32`>"));
        }
        settings.secret()
                .filter(SettingChecks::isGuessable)
                .ifPresent(weak -> all.add(Finding.error(
                        "secret.strength",
                        "The secret has fewer than %d different characters and can be guessed".formatted(MIN_DIFFERENT),
                        "Set IDEMPOTENCY_SECRET to an output of `openssl rand -hex 32`, and the old one in"
                                + " IDEMPOTENCY_PREVIOUS_SECRETS until its keys have expired")));
        settings.webhooks().forEach((name, webhook) -> {
            Duration needed = webhook.provider().ttl();
            Optional<Duration> set = webhook.ttl().or(() -> settings.ttl().webhook());
            set.filter(ttl -> ttl.compareTo(needed) < 0)
                    .ifPresent(ttl -> all.add(Finding.error(
                            "webhooks.%s.ttl".formatted(name),
                            "webhooks.%s keeps keys for %d h, but the sender retries for up to %d h: a late retry is processed again"
                                    .formatted(name, ttl.toHours(), needed.toHours()),
                            "Set webhooks.%s.ttl_hours: %d".formatted(name, hours(needed)))));
        });
        return all;
    }

    /** Rounds up. */
    private static long hours(Duration time) {
        return time.plusHours(1).minusNanos(1).toHours();
    }

    private static boolean isGuessable(SecretText secret) {
        return secret.reveal().chars().distinct().count() < MIN_DIFFERENT;
    }
}
