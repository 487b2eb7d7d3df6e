// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.server.config.ApiRoute;
import dev.semel.server.config.RouteIdentity;
import dev.semel.server.http.Identity;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestHeaders;
import dev.semel.webhooks.WebhookGate;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Function;

/** Determines the sender of a request to the proxy. */
final class RouteIdentities {
    private final Function<HttpServerRequest, Identity> tokens;

    /** @param tokens returns the sender by Semel's token, or in development by headers */
    RouteIdentities(Function<HttpServerRequest, Identity> tokens) {
        this.tokens = tokens;
    }

    /** Returns the sender. Call {@link #requireFront} first for routes that require a trusted front. */
    Sender of(ApiRoute route, HttpServerRequest request) {
        RouteIdentity identity = route.identity().orElseGet(RouteIdentity.Token::new);
        if (identity instanceof RouteIdentity.Authorization by) {
            return authorization(by, request);
        }
        if (identity instanceof RouteIdentity.Header by) {
            return header(by, request);
        }
        Identity known = tokens.apply(request);
        return new Sender(known.tenant(), known.actor(), "");
    }

    private static Sender authorization(RouteIdentity.Authorization by, HttpServerRequest request) {
        String credential = RequestHeaders.single(request, "Authorization")
                .filter(value -> !value.isBlank())
                .orElseThrow(() -> ProblemDetail.of(
                                ProblemType.UNAUTHENTICATED,
                                "This route identifies clients by the Authorization header, which is missing")
                        .with("WWW-Authenticate", "Bearer realm=\"semel\"")
                        .asException());
        // The credential's digest is part of the key. Only a keyed digest of the key is stored, so a password cannot be
        // guessed
        // from it.
        return new Sender(
                by.tenant(),
                "credential",
                Fingerprint.of("authorization", credential).hex());
    }

    /** Rejects requests that bypass the trusted front, including those that need no identity. */
    static void requireFront(ApiRoute route, String address) {
        if (route.identity().orElse(null) instanceof RouteIdentity.Header by
                && by.fronts().stream().noneMatch(range -> range.contains(address))) {
            throw ProblemDetail.of(
                            ProblemType.FORBIDDEN,
                            "Only a trusted front may send the identity header of this route, and"
                                    + " the request came from another address (trusted_fronts)")
                    .asException();
        }
    }

    private static Sender header(RouteIdentity.Header by, HttpServerRequest request) {
        String actor = required(request, by.actorHeader());
        String tenant = RequestHeaders.single(request, by.tenantHeader())
                .map(value -> name(by.tenantHeader(), value))
                .orElse("default");
        if (tenant.equals(WebhookGate.RESERVED_TENANT)) {
            throw ProblemDetail.field(
                            by.tenantHeader(),
                            "The header %s contains a reserved organization".formatted(by.tenantHeader()))
                    .asException();
        }
        return new Sender(tenant, actor, "");
    }

    private static String required(HttpServerRequest request, String header) {
        Optional<String> value = RequestHeaders.single(request, header);
        return name(
                header,
                value.orElseThrow(() -> ProblemDetail.field(
                                header, "The header %s is required and must be set by the front".formatted(header))
                        .asException()));
    }

    private static String name(String header, String value) {
        String text = RequestHeaders.utf8(header, value);
        boolean good = !text.isEmpty()
                && text.length() <= ClaimKey.MAX_TENANT
                && text.chars().noneMatch(Character::isISOControl);
        if (!good) {
            throw ProblemDetail.field(
                            header,
                            "The header %s must have 1 to %d characters and no control characters"
                                    .formatted(header, ClaimKey.MAX_TENANT))
                    .asException();
        }
        return text;
    }

    /**
     * The sender of a request.
     *
     * @param credential a digest that distinguishes clients if the actor does not; otherwise empty
     */
    record Sender(String tenant, String actor, String credential) {}
}
