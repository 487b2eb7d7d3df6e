// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.Semel;
import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxEntry;
import dev.semel.server.config.SecretText;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.config.WebhookSettings;
import dev.semel.server.pages.NeedsSqlResource;
import dev.semel.webhooks.Forward;
import dev.semel.webhooks.Sink;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.WebhookGateBuilder;
import dev.semel.webhooks.WebhookListener;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.Providers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The webhook gates: one for each configured provider and, in development, one for each built-in provider. The latter
 * are created at their first delivery, so that unused ones do not slow down the start.
 */
public final class WebhookGates {
    /**
     * A gate and who may use it.
     *
     * @param urlSecret the secret segment of its URL, if any
     * @param tenants the tenants it accepts; empty for all
     */
    record Opened(WebhookGate gate, Provider provider, Optional<SecretText> urlSecret, List<String> tenants) {
        boolean accepts(String tenant) {
            return tenants.isEmpty() || tenants.contains(tenant);
        }

        /** Returns the tenant of the URL without a tenant. */
        String defaultTenant() {
            return tenants.size() == 1 ? tenants.get(0) : DEFAULT_TENANT;
        }
    }

    private static final String DEFAULT_TENANT = "default";

    private final Semel semel;
    private volatile Settings settings;
    private final Optional<Inbox> inbox;
    private final WebhookListener listener;
    private final UnaryOperator<Forward> tracing;
    private final boolean production;
    private final Map<String, Opened> gates = new ConcurrentHashMap<>();

    /**
     * Creates the configured gates.
     *
     * @param inbox receives events that are not forwarded; empty if the database cannot hold it
     * @param listener counts what happens at the gates
     * @param tracing traces what is forwarded
     */
    public WebhookGates(
            Semel semel,
            Settings settings,
            Optional<Inbox> inbox,
            WebhookListener listener,
            UnaryOperator<Forward> tracing) {
        this.semel = semel;
        this.settings = settings;
        this.inbox = inbox;
        this.listener = listener;
        this.tracing = tracing;
        this.production = settings.mode() == ServerMode.PRODUCTION;
        settings.webhooks().forEach((name, webhook) -> gates.put(name, open(name, webhook)));
    }

    /**
     * Replaces the gates by those of new settings. Deliveries that are being processed go on with the gate that received them.
     */
    public void reload(Settings next) {
        Settings before = settings;
        settings = next;
        Map<String, Opened> opened = new HashMap<>();
        try {
            next.webhooks().forEach((name, webhook) -> opened.put(name, open(name, webhook)));
        } catch (RuntimeException e) {
            settings = before;
            throw e;
        }
        gates.putAll(opened);
        gates.keySet().retainAll(opened.keySet());
    }

    /**
     * Returns the gate with this name, if it exists.
     *
     * @throws dev.semel.server.http.ProblemException if it would need the inbox, and there is none
     */
    Optional<Opened> find(String name) {
        Opened known = gates.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        if (production || !Providers.names().contains(name)) {
            return Optional.empty();
        }
        return Optional.of(
                gates.computeIfAbsent(name, missing -> open(missing, WebhookSettings.unconfigured(missing))));
    }

    private Opened open(String name, WebhookSettings webhook) {
        WebhookGateBuilder builder = WebhookGate.on(semel)
                .listener(listener)
                .paymentTtl(settings.ttl().idempotency())
                .lease(webhook.lease())
                .inFlight(webhook.inFlight())
                .maxBytes(maxBytes(webhook));
        webhook.ttl().or(() -> settings.ttl().webhook()).ifPresent(builder::ttl);
        if (acceptsUnverified(webhook)) {
            builder.acceptingUnverified();
        }
        return new Opened(
                builder.build(name, webhook.provider(), sink(webhook)),
                webhook.provider(),
                webhook.urlSecret(),
                tenants(webhook));
    }

    /**
     * Returns the accepted tenants. In production without a list, {@code ProductionRules} ensures that there is only
     * one.
     */
    private List<String> tenants(WebhookSettings webhook) {
        return production && webhook.tenants().isEmpty()
                ? settings.tokens().stream()
                        .flatMap(token -> token.tenants().stream())
                        .distinct()
                        .toList()
                : webhook.tenants();
    }

    /**
     * Returns which headers of this provider's deliveries contain a signature. A provider that is not configured any
     * more is judged by header names.
     */
    Predicate<String> signatures(String name) {
        Opened known = gates.get(name);
        return known == null ? Provider::isCalledSignature : known.provider()::isSignature;
    }

    /**
     * Returns the maximum size of a delivery. The inbox has a limit of its own, which may be lower than the server's.
     */
    private int maxBytes(WebhookSettings webhook) {
        int max = settings.limits().bodyBytes();
        return webhook.sink().forward().isPresent() ? max : Math.min(max, InboxEntry.MAX_BODY);
    }

    /**
     * Returns whether unverified deliveries are accepted. In production, {@code ProductionRules} ensures that the URL
     * contains a secret then.
     */
    private boolean acceptsUnverified(WebhookSettings webhook) {
        boolean partly = !webhook.provider().signsAll() || !webhook.provider().verifies();
        return !production || (webhook.urlSecret().isPresent() && partly);
    }

    private Sink sink(WebhookSettings webhook) {
        if (webhook.sink().forward().isPresent()) {
            return tracing.apply(Forward.to(webhook.sink().forward().get())
                    .within(webhook.sink().timeout()));
        }
        return new InboxSink(
                inbox.orElseThrow(() -> NeedsSqlResource.problem("Recording webhooks in the inbox")
                        .asException()),
                webhook.provider());
    }
}
