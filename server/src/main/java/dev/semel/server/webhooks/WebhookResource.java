// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import dev.semel.server.config.Hidden;
import dev.semel.server.http.Access;
import dev.semel.server.http.Answer;
import dev.semel.server.http.Exchange;
import dev.semel.server.http.Problem;
import dev.semel.server.http.ProblemException;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import dev.semel.webhooks.provider.Headers;
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
 * {@code POST /webhooks/{provider}} and {@code /webhooks/{org}/{provider}}, the same behind a secret, and the questions that
 * senders ask by GET and OPTIONS. Open to everybody: the signature, or the address, says who sends.
 */
public final class WebhookResource implements Resource {
    private static final String DEFAULT_TENANT = "default";
    private static final int LONGEST_TENANT = 255;
    private static final byte[] NOTHING = {};

    private final WebhookGates gates;

    public WebhookResource(WebhookGates gates) {
        this.gates = gates;
    }

    /** Where a delivery was sent to. */
    private record Address(String tenant, String provider, Optional<String> secret) {
        /** Whether it leads to a gate with this secret, in a time that does not depend on where they differ. */
        boolean leadsTo(Optional<Hidden> expected) {
            return secret.isPresent() == expected.isPresent()
                    && MessageDigest.isEqual(
                            utf8(secret.orElse("")),
                            utf8(expected.map(Hidden::reveal).orElse("")));
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
                exchange -> new Address(DEFAULT_TENANT, exchange.path("provider"), Optional.empty()));
        add(
                routes,
                "/webhooks/{org}/{provider}",
                exchange -> new Address(exchange.path("org"), exchange.path("provider"), Optional.empty()));
        add(
                routes,
                "/webhooks/{org}/{provider}/{secret}",
                exchange -> new Address(
                        exchange.path("org"), exchange.path("provider"), Optional.of(exchange.path("secret"))));
    }

    private void add(Routes routes, String path, Function<Exchange, Address> address) {
        routes.postBytes(path, Access.OPEN, (exchange, body) -> receive(exchange, address.apply(exchange), body));
        routes.get(path, Access.OPEN, exchange -> receive(exchange, address.apply(exchange), NOTHING));
        routes.options(path, Access.OPEN, exchange -> receive(exchange, address.apply(exchange), NOTHING));
    }

    private CompletionStage<Answer> receive(Exchange exchange, Address address, byte[] body) {
        WebhookGates.Opened opened = gates.find(address.provider())
                .filter(found -> address.leadsTo(found.urlSecret()))
                .orElseThrow(WebhookResource::nothing);
        String tenant = address.tenant();
        if (tenant.isEmpty()
                || tenant.length() > LONGEST_TENANT
                || tenant.chars().anyMatch(Character::isISOControl)) {
            throw Problem.field(
                            "org",
                            "The organization in the address must have 1 to %d characters and no control characters"
                                    .formatted(LONGEST_TENANT))
                    .asException();
        }
        return opened.gate().receive(request(exchange.request(), tenant, body)).thenApply(WebhookAnswers::of);
    }

    /** The same whether the provider is unknown or its secret is wrong: nobody learns which are there. */
    private static ProblemException nothing() {
        return Problem.of(
                        ProblemType.NOT_FOUND,
                        "There is no such webhook; configure its provider in semel.yml, and use the whole address")
                .asException();
    }

    private static WebhookRequest request(HttpServerRequest request, String tenant, byte[] body) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        request.headers()
                .forEach((name, value) -> headers.computeIfAbsent(name, first -> new ArrayList<>())
                        .add(value));
        String host = Optional.ofNullable(request.headers().get("Host")).orElse("");
        // As it arrives here. Behind a proxy, providers that sign their address have a setting for it.
        return new WebhookRequest(
                request.method().name(), "http://" + host + request.uri(), Headers.of(headers), body, tenant);
    }
}
