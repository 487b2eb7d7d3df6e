// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings, checked.
 *
 * @param secret makes what is new; without one it is kept in the data folder
 * @param previousSecrets are alive beside it: what they made is found too
 */
public record Settings(
        ServerSettings server,
        DatabaseSettings database,
        Optional<URI> redis,
        Optional<SecretText> secret,
        List<SecretText> previousSecrets,
        List<ApiToken> tokens,
        TtlSettings ttl,
        LimitSettings limits,
        LedgerSettings ledger,
        CallSettings calls,
        Map<String, WebhookSettings> webhooks,
        List<ApiRoute> routes) {

    public ServerMode mode() {
        return server.mode();
    }
}
