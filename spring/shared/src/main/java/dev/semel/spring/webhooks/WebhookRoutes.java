// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import dev.semel.Semel;
import dev.semel.spring.InvalidSetupException;
import dev.semel.spring.UnresolvedPlaceholders;
import dev.semel.spring.webhooks.WebhookEndpoint.Route;
import dev.semel.spring.webhooks.WebhookProperties.ProviderProperties;
import dev.semel.webhooks.EventHandler;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.WebhookGateBuilder;
import dev.semel.webhooks.WebhookListener;
import dev.semel.webhooks.provider.Provider;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a gate for each annotated handler. */
final class WebhookRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookRoutes.class);

    private final Semel semel;
    private final WebhookProperties properties;
    private final String defaultTenant;
    private final WebhookListener listener;
    private final Executor executor;

    WebhookRoutes(
            Semel semel,
            WebhookProperties properties,
            String defaultTenant,
            WebhookListener listener,
            Executor executor) {
        this.semel = semel;
        this.properties = properties;
        this.defaultTenant = defaultTenant;
        this.listener = listener;
        this.executor = executor;
    }

    Map<String, Route> of(Map<String, AnnotatedHandler> handlers) {
        Map<String, Route> routes = new HashMap<>();
        handlers.forEach((name, handler) -> routes.put(name, route(name, handler)));
        for (String name : properties.webhooks().keySet()) {
            if (!handlers.containsKey(name)) {
                LOG.warn(
                        "semel.webhooks.{} is configured, but no bean has a method with @WebhookHandler(\"{}\"): its deliveries"
                                + " are answered with 404",
                        name,
                        name);
            }
        }
        return routes;
    }

    private Route route(String name, AnnotatedHandler handler) {
        ProviderProperties provider = properties.webhooks().get(name);
        if (provider == null) {
            throw new InvalidSetupException(
                    "@WebhookHandler(\"%s\") on %s has no provider: there is no property semel.webhooks.%s."
                            .formatted(name, handler, name),
                    Providers.names().contains(name)
                            ? "Set semel.webhooks.%s.secret to the secret that the provider signs with.".formatted(name)
                            : "Check the name: the types of providers are %s. For another name, set semel.webhooks.%s.type and .secret."
                                    .formatted(String.join(", ", Providers.names()), name));
        }
        WebhookGateBuilder gate = WebhookGate.on(semel)
                .lease(provider.lease())
                .maxBytes(provider.maxBytes())
                .listener(listener);
        if (provider.ttl() != null) {
            gate.ttl(provider.ttl());
        }
        if (provider.acceptUnverified()) {
            LOG.warn(
                    "semel.webhooks.{}.accept-unverified is set: deliveries without a valid signature are accepted",
                    name);
            gate.acceptingUnverified();
        } else if (provider.allSecrets().isEmpty() && provider.options().isEmpty()) {
            throw new InvalidSetupException(
                    "The webhook provider %s has no secret, so no delivery can be verified.".formatted(name),
                    "Set semel.webhooks.%s.secret, or for development semel.webhooks.%s.accept-unverified=true."
                            .formatted(name, name));
        }
        LOG.info(
                "Webhooks of {} are received at {}/{} and passed to {}", name, properties.webhookPath(), name, handler);
        String tenant = provider.tenant();
        Provider type = provider(name, provider);
        Duration answerWithin = provider.answerWithin();
        return new Route(
                gate.build(name, type, EventHandler.blocking(executor, handler)),
                tenant == null ? defaultTenant : tenant,
                provider.maxBytes(),
                answerWithin == null ? type.answerWithin() : answerWithin);
    }

    private static Provider provider(String name, ProviderProperties provider) {
        String property = "semel.webhooks." + name;
        provider.allSecrets().forEach(secret -> UnresolvedPlaceholders.check(property + ".secret", secret));
        provider.options()
                .forEach((option, values) ->
                        values.forEach(value -> UnresolvedPlaceholders.check(property + ".options." + option, value)));
        String type = provider.type() == null ? name : provider.type();
        ProviderConfig config = ProviderConfig.none();
        if (!provider.allSecrets().isEmpty()) {
            config = config.with("secrets", provider.allSecrets().toArray(String[]::new));
        }
        for (Map.Entry<String, List<String>> option : provider.options().entrySet()) {
            config = config.with(option.getKey(), option.getValue().toArray(String[]::new));
        }
        try {
            return Providers.of(type, config);
        } catch (IllegalArgumentException e) {
            throw new InvalidSetupException(
                    "semel.webhooks.%s is invalid: %s.".formatted(name, e.getMessage()),
                    "The types are %s. A provider with another name than its type needs semel.webhooks.%s.type."
                            .formatted(String.join(", ", Providers.names()), name),
                    e);
        }
    }
}
