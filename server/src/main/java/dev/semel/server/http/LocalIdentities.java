// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.Role;
import dev.semel.server.config.ServerSettings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/**
 * Identities in development mode: every local client is accepted, and headers choose the tenant and the actor.
 *
 * <p>A browser on this machine could be misused by a web page of another site. The Host header protects against DNS
 * rebinding, because the browser sends the name of the page's own host. The Origin and Sec-Fetch-Site headers, which
 * browsers add, protect against other requests of such pages.
 */
final class LocalIdentities implements Identities {
    private static final CharSequence ACTOR = HttpHeaders.createOptimized("X-Actor-Id");
    private static final CharSequence ORIGIN = HttpHeaders.createOptimized("Origin");
    private static final CharSequence FETCH_MODE = HttpHeaders.createOptimized("Sec-Fetch-Mode");
    private static final CharSequence FETCH_SITE = HttpHeaders.createOptimized("Sec-Fetch-Site");
    private static final int LONGEST_NAME = 255;

    /** The Sec-Fetch-Site values of our own pages and of addresses typed by a user. */
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private static final Set<String> READING = Set.of("GET", "HEAD");

    @Override
    public void admit(HttpServerRequest request) {
        String host = RequestHeaders.single(request, HeaderNames.HOST).orElse("");
        if (host.isEmpty()
                || !ServerSettings.isLoopback(HostHeader.required(host).name())) {
            throw ProblemDetail.of(
                            ProblemType.NOT_LOCAL,
                            "The Host header must be a loopback name, such as 127.0.0.1 or"
                                    + " localhost; start the server with --production to accept other hosts")
                    .asException();
        }
        RequestHeaders.single(request, ORIGIN)
                .filter(origin -> !origin.equalsIgnoreCase((request.isSSL() ? "https://" : "http://") + host))
                .ifPresent(foreign -> {
                    throw ProblemDetail.of(
                                    ProblemType.NOT_LOCAL,
                                    "The Origin header names another site; requests from other sites are not allowed")
                            .asException();
                });
        RequestHeaders.single(request, FETCH_SITE)
                .filter(site -> !OWN.contains(site) && !isLink(request))
                .ifPresent(foreign -> {
                    throw ProblemDetail.of(
                                    ProblemType.NOT_LOCAL, "Requests from web pages of other sites are not allowed")
                            .asException();
                });
    }

    /**
     * Returns whether a user followed a link, which changes nothing. A submitted form also navigates, but with another
     * method.
     */
    private static boolean isLink(HttpServerRequest request) {
        return READING.contains(request.method().name())
                && RequestHeaders.single(request, FETCH_MODE)
                        .filter("navigate"::equals)
                        .isPresent();
    }

    @Override
    public Identity of(HttpServerRequest request) {
        String tenant = OrganizationHeader.of(request).orElse("default");
        return new Identity(tenant, name(request, ACTOR, "anonymous"), Role.OPERATOR);
    }

    private static String name(HttpServerRequest request, CharSequence header, String otherwise) {
        String name = RequestHeaders.single(request, header)
                .map(value -> RequestHeaders.utf8(header.toString(), value))
                .orElse(otherwise);
        if (name.isEmpty() || name.length() > LONGEST_NAME || TextChecks.hasControls(name)) {
            throw ProblemDetail.field(
                            header.toString(),
                            "The header %s must have 1 to %d characters and no control characters"
                                    .formatted(header, LONGEST_NAME))
                    .asException();
        }
        return name;
    }
}
