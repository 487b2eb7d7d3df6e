// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings, validated.
 *
 * @param secret the current secret; if empty, the one in the data folder is used
 * @param previousSecrets earlier secrets that are still active, so that existing data is found
 * @param tracing where traces are exported to; empty if there are none
 */
public record Settings(
        ServerSettings server,
        LogFormat logFormat,
        DatabaseSettings database,
        Optional<URI> redis,
        Optional<SecretText> secret,
        List<SecretText> previousSecrets,
        List<ApiToken> tokens,
        TtlSettings ttl,
        LimitSettings limits,
        LedgerSettings ledger,
        CallSettings calls,
        AlertSettings alerts,
        MetricsSettings metrics,
        Optional<TracingSettings> tracing,
        CleanupSettings cleanup,
        Map<String, WebhookSettings> webhooks,
        List<ApiRoute> routes) {

    public ServerMode mode() {
        return server.mode();
    }

    /** Returns these settings with what a running server takes over from new ones: tokens, webhooks and call sites. */
    public Settings reloaded(Settings next) {
        return new Settings(
                server,
                logFormat,
                database,
                redis,
                secret,
                previousSecrets,
                next.tokens,
                ttl,
                limits,
                ledger,
                next.calls,
                alerts,
                metrics,
                tracing,
                cleanup,
                next.webhooks,
                routes);
    }
}
