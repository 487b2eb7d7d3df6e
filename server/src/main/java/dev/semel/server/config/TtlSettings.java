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

    static TtlSettings read(Sources sources, Section section) {
        TtlSettings ttl = new TtlSettings(
                sources.find(Setting.IDEMPOTENCY_TTL, section).map(Value::hours).orElse(USUAL),
                sources.find(Setting.WEBHOOK_TTL, section).map(Value::hours),
                sources.find(Setting.STEP_TTL, section).map(Value::hours).orElse(USUAL));
        section.done();
        return ttl;
    }
}
