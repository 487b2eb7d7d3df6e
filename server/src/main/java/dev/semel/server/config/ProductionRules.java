// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import dev.semel.http.KeyPolicy;
import dev.semel.webhooks.provider.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Checks the settings that production mode requires. Reports all missing settings at once. */
final class ProductionRules {
    private ProductionRules() {}

    static void check(Settings settings) {
        if (settings.mode() != ServerMode.PRODUCTION) {
            return;
        }
        List<String> missing = new ArrayList<>();
        if (settings.secret().isEmpty()) {
            missing.add("IDEMPOTENCY_SECRET is not set. Set it to at least 32 bytes, the same on every instance:"
                    + " export IDEMPOTENCY_SECRET=$(openssl rand -hex 32)");
        }
        if (settings.tokens().isEmpty()) {
            missing.add("No API token is configured. Add to semel.yml what `semel token create` prints:"
                    + " tokens: [{sha256: \"<hex digest>\", tenant: acme, actor: billing, role: client}]");
        }
        settings.calls().sites().forEach((name, site) -> {
            if (site.secret().isEmpty() && site.signing() == CallSettings.Signing.REQUIRED) {
                missing.add("""
                        calls.sites.%s has no secret. Set calls.sites.%s.secret, or signing: off if its events are not \
                        signed""".formatted(name, name));
            }
        });
        Set<String> tenants = new TreeSet<>();
        settings.tokens().forEach(token -> tenants.addAll(token.tenants()));
        boolean several = tenants.size() > 1 || tenants.contains(ApiToken.ALL);
        tenants.remove(ApiToken.ALL);
        settings.webhooks().forEach((name, webhook) -> {
            webhook(name, webhook, missing);
            if (several) {
                tenants(name, webhook, tenants, missing);
            }
        });
        settings.routes().forEach(route -> {
            if (route.identity().isEmpty() && route.rules().key() != KeyPolicy.OFF) {
                missing.add("""
                        The route %s has no identity, so a stored response could be returned to another client. Set its \
                        identity to authorization, to header:<name> with trusted_fronts, or to token""".formatted(route.pattern()));
            }
        });
        if (!missing.isEmpty()) {
            throw new ConfigException("Production mode (%s) requires more settings:%n  - %s"
                    .formatted(why(settings), String.join("%n  - ".formatted(), missing)));
        }
    }

    /** Requires a way to verify every delivery, or a secret in the URL. */
    private static void webhook(String name, WebhookSettings webhook, List<String> missing) {
        if (webhook.provider().verifies()) {
            return;
        }
        boolean signs = webhook.provider().signsAll();
        if (webhook.urlSecret().isPresent() && (!signs || webhook.type().equals("custom"))) {
            return;
        }
        if (!signs) {
            missing.add("""
                    webhooks.%s cannot be verified: %s does not sign its deliveries, or not all of them. Set \
                    webhooks.%s.url_secret to $(openssl rand -hex 24), and register the URL \
                    /webhooks/{org}/%s/{that secret} with the provider""".formatted(name, webhook.type(), name, name));
            return;
        }
        Set<String> settings = Providers.settings(webhook.type());
        String setting = settings.contains("webhook_id")
                ? "webhook_id"
                : settings.contains("secrets") ? "secrets" : "public_keys";
        missing.add(("webhooks.%s has no secret to verify deliveries. Set webhooks.%s.%s to the value that the"
                        + " provider shows%s")
                .formatted(
                        name,
                        name,
                        setting,
                        webhook.type().equals("custom") ? ", or url_secret if the provider does not sign" : ""));
    }

    /**
     * Requires the list of tenants, if the tokens have several. The URL contains the tenant, but the signature does not cover it, so a delivery
     * could be sent to any tenant.
     */
    private static void tenants(String name, WebhookSettings webhook, Set<String> tenants, List<String> missing) {
        if (webhook.tenants().isEmpty()) {
            missing.add("""
                    webhooks.%s has no tenants, and the tokens have several. Set webhooks.%s.tenants to those that this provider \
                    delivers for, such as [%s]; deliveries for others are refused""".formatted(
                    name, name, tenants.isEmpty() ? "acme" : tenants.iterator().next()));
        }
    }

    private static String why(Settings settings) {
        return settings.server().production()
                ? "--production is set"
                : "%s is not a loopback address".formatted(settings.server().host());
    }
}
