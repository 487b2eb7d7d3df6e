// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.Semel;
import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxEntry;
import dev.semel.key.Secrets;
import dev.semel.server.config.ApiToken;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Hidden;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.config.WebhookSettings;
import dev.semel.webhooks.Forward;
import dev.semel.webhooks.InFlight;
import dev.semel.webhooks.Sink;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.WebhookGateBuilder;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.Providers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * A gate for every provider that is configured; in development also for every built-in one, made when its first delivery
 * comes, so that nobody starts slower for what he does not use.
 */
public final class WebhookGates {
    /**
     * A gate, and who it is open to.
     *
     * @param urlSecret the secret part of its address, if it has one
     * @param tenants whose it may be; empty if anybody's
     */
    record Opened(WebhookGate gate, Provider provider, Optional<Hidden> urlSecret, List<String> tenants) {
        boolean takes(String tenant) {
            return tenants.isEmpty() || tenants.contains(tenant);
        }

        /** Whose the address is that names no tenant. */
        String usualTenant() {
            return tenants.size() == 1 ? tenants.get(0) : DEFAULT_TENANT;
        }
    }

    private static final String DEFAULT_TENANT = "default";

    private final Semel semel;
    private final Secrets secrets;
    private final Settings settings;
    private final Optional<Inbox> inbox;
    private final boolean production;
    private final Map<String, Opened> gates = new ConcurrentHashMap<>();

    /**
     * Gates as configured.
     *
     * @param secrets the engine's own
     * @param inbox where events go that are not forwarded; empty where the database can have none
     * @throws ConfigException if one needs an inbox and there is none
     */
    public WebhookGates(Semel semel, Secrets secrets, Settings settings, Optional<Inbox> inbox) {
        this.semel = semel;
        this.secrets = secrets;
        this.settings = settings;
        this.inbox = inbox;
        this.production = settings.mode() == ServerMode.PRODUCTION;
        settings.webhooks().forEach((name, webhook) -> gates.put(name, open(name, webhook)));
    }

    /** The gate of this name, if there is one. */
    Optional<Opened> find(String name) {
        Opened known = gates.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        if (production || inbox.isEmpty() || !Providers.names().contains(name)) {
            return Optional.empty();
        }
        return Optional.of(
                gates.computeIfAbsent(name, missing -> open(missing, WebhookSettings.unconfigured(missing))));
    }

    private Opened open(String name, WebhookSettings webhook) {
        WebhookGateBuilder builder = WebhookGate.on(semel, secrets)
                .paymentTtl(settings.ttl().idempotency())
                .lease(webhook.lease())
                .inFlight(webhook.inFlight() == WebhookSettings.InFlight.ACK ? InFlight.ACKNOWLEDGE : InFlight.WAIT)
                .maxBytes(maxBytes(webhook));
        webhook.ttl().or(() -> settings.ttl().webhook()).ifPresent(builder::ttl);
        if (acceptsUnverified(webhook)) {
            builder.acceptingUnverified();
        }
        return new Opened(
                builder.build(name, webhook.provider(), sink(name, webhook)),
                webhook.provider(),
                webhook.urlSecret(),
                tenants(webhook));
    }

    /** In production, without a list, the only tenant that there is: the rules at the start saw to that. */
    private List<String> tenants(WebhookSettings webhook) {
        return production && webhook.tenants().isEmpty()
                ? settings.tokens().stream().map(ApiToken::tenant).distinct().toList()
                : webhook.tenants();
    }

    /** Which headers of this provider's deliveries carry a signature; where it is not configured any more, by their names. */
    Predicate<String> signatures(String name) {
        Opened known = gates.get(name);
        return known == null ? Provider::isCalledSignature : known.provider()::isSignature;
    }

    /** The inbox has a bound of its own, should the server's be set higher. */
    private int maxBytes(WebhookSettings webhook) {
        int most = settings.limits().bodyBytes();
        return webhook.sink().forward().isPresent() ? most : Math.min(most, InboxEntry.MAX_BODY);
    }

    /** In production only where the address is the secret: the rules at the start saw to it that there is one. */
    private boolean acceptsUnverified(WebhookSettings webhook) {
        boolean partly = !webhook.provider().signsAll() || !webhook.provider().verifies();
        return !production || (webhook.urlSecret().isPresent() && partly);
    }

    private Sink sink(String name, WebhookSettings webhook) {
        if (webhook.sink().forward().isPresent()) {
            return Forward.to(webhook.sink().forward().get())
                    .within(webhook.sink().timeout());
        }
        return inbox.map(store -> new InboxSink(store, webhook.provider()))
                .orElseThrow(() -> new ConfigException(
                        "webhooks.%s needs an inbox, which MySQL cannot have: set webhooks.%s.sink: {forward: \"http://...\"}, or use PostgreSQL, MariaDB or SQLite"
                                .formatted(name, name)));
    }
}
