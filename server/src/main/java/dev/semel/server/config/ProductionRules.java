// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.util.ArrayList;
import java.util.List;

/** What production must have before it may start. All that is missing is said at once. */
final class ProductionRules {
    private ProductionRules() {}

    static void check(Settings settings) {
        if (settings.mode() != Mode.PRODUCTION) {
            return;
        }
        List<String> missing = new ArrayList<>();
        if (settings.secret().isEmpty()) {
            missing.add("IDEMPOTENCY_SECRET is not set. Set it to at least 32 bytes, the same on every instance:"
                    + " export IDEMPOTENCY_SECRET=$(openssl rand -hex 32)");
        }
        if (settings.tokens().isEmpty()) {
            missing.add("No API token is configured. Add to semel.yml, with the digest from"
                    + " printf %s \"$TOKEN\" | sha256sum :"
                    + " tokens: [{sha256: \"<hex digest>\", tenant: acme, actor: billing, role: client}]");
        }
        settings.calls().sites().forEach((name, site) -> {
            if (site.secret().isEmpty() && site.signing() == CallSettings.Signing.REQUIRED) {
                missing.add(
                        "calls.sites.%s has no secret. Set calls.sites.%s.secret, or signing: off if nothing signs its"
                                        .formatted(name, name)
                                + " events");
            }
        });
        settings.webhooks().forEach((name, webhook) -> {
            if (webhook.secrets().isEmpty()
                    && webhook.webhookId().isEmpty()
                    && webhook.urlSecret().isEmpty()) {
                missing.add(
                        "webhooks.%s has no secret. Set webhooks.%s.secrets, or url_secret if the provider signs nothing"
                                .formatted(name, name));
            }
        });
        if (!missing.isEmpty()) {
            throw new ConfigException("Production mode, because %s, needs more settings:%n  - %s"
                    .formatted(why(settings), String.join("%n  - ".formatted(), missing)));
        }
    }

    private static String why(Settings settings) {
        return settings.server().production()
                ? "--production is set"
                : "%s is no loopback address".formatted(settings.server().host());
    }
}
