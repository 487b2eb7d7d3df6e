// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.server.config.SecretText;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import dev.semel.webhooks.WebhookAnswer;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.WebhookRequest;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * {@code POST /webhooks/{provider}} and {@code /webhooks/{org}/{provider}}, the same with a secret segment, and the
 * verification requests that providers send by GET and OPTIONS. No token is required: the signature or the secret in
 * the URL authenticates the sender.
 */
public final class WebhookResource implements Resource {
    private static final int LONGEST_TENANT = 255;
    private static final byte[] NOTHING = {};

    private final WebhookGates gates;
    private final NewKeyRate rate;

    /** @param rate the tenant's limit on stored bytes */
    public WebhookResource(WebhookGates gates, NewKeyRate rate) {
        this.gates = gates;
        this.rate = rate;
    }

    /** The URL of a delivery. */
    private record Address(Optional<String> named, String provider, Optional<String> secret) {
        /** Returns whether the URL contains the gate's secret. Runs in constant time. */
        boolean leadsTo(Optional<SecretText> expected) {
            return secret.isPresent() == expected.isPresent()
                    && MessageDigest.isEqual(
                            utf8(secret.orElse("")),
                            utf8(expected.map(SecretText::reveal).orElse("")));
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    @Override
    public void addTo(Routes routes) {
        add(
                routes,
                "/webhooks/{provider}",
                context -> new Address(Optional.empty(), context.path("provider"), Optional.empty()));
        add(
                routes,
                "/webhooks/{org}/{provider}",
                context -> new Address(Optional.of(context.path("org")), context.path("provider"), Optional.empty()));
        add(
                routes,
                "/webhooks/{org}/{provider}/{secret}",
                context -> new Address(
                        Optional.of(context.path("org")),
                        context.path("provider"),
                        Optional.of(context.path("secret"))));
    }

    private void add(Routes routes, String path, Function<RequestContext, Address> address) {
        routes.postBytes(path, RouteAccess.OPEN, (context, body) -> receive(context, address.apply(context), body));
        routes.get(path, RouteAccess.OPEN, context -> receive(context, address.apply(context), NOTHING));
        routes.options(path, RouteAccess.OPEN, context -> receive(context, address.apply(context), NOTHING));
    }

    private CompletionStage<HttpAnswer> receive(RequestContext context, Address address, byte[] body) {
        WebhookGates.Opened opened = gates.find(address.provider())
                .filter(found -> address.leadsTo(found.urlSecret()))
                .orElseThrow(WebhookResource::notFound);
        String tenant = address.named().orElse(opened.defaultTenant());
        if (!opened.accepts(tenant) || tenant.equals(WebhookGate.RESERVED_TENANT)) {
            throw notFound();
        }
        if (tenant.isEmpty()
                || tenant.length() > LONGEST_TENANT
                || tenant.chars().anyMatch(Character::isISOControl)) {
            throw ProblemDetail.field(
                            "org",
                            "The organization in the URL must have 1 to %d characters and no control characters"
                                    .formatted(LONGEST_TENANT))
                    .asException();
        }
        rate.tryTake(tenant, 0, body.length).ifPresent(tooMuch -> {
            throw tooMuch.asException();
        });
        return opened.gate().receive(request(context.request(), tenant, body)).thenApply(answer -> {
            // Refused deliveries and duplicates store nothing, so anonymous clients cannot use up a tenant's limit.
            long stored = answer.kind() == WebhookAnswer.Kind.PROCESSED ? body.length : 0;
            rate.giveBack(tenant, 0, 0, body.length, stored);
            return WebhookAnswers.of(answer);
        });
    }

    /** The same response for an unknown provider, tenant or secret, so that it does not reveal which of them exist. */
    private static ProblemException notFound() {
        return ProblemDetail.of(
                        ProblemType.NOT_FOUND,
                        "No such webhook: check its provider, webhooks.<name>.tenants and url_secret"
                                + " in semel.yml, and use the complete URL")
                .asException();
    }

    private static WebhookRequest request(HttpServerRequest request, String tenant, byte[] body) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        request.headers()
                .forEach((name, value) -> headers.computeIfAbsent(name, first -> new ArrayList<>())
                        .add(value));
        String host = Optional.ofNullable(request.headers().get("Host")).orElse("");
        // The URL as received here. Providers that sign the URL have a setting for the public one, for use behind a
        // proxy.
        return new WebhookRequest(
                request.method().name(), "http://" + host + request.uri(), DeliveryHeaders.of(headers), body, tenant);
    }
}
