// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Function;

/**
 * Who sends a request to the API door, where Semel itself tells. The client's Authorization is for the service behind, so
 * that Semel's own token stands in another header.
 */
public final class ProxyIdentities {
    private static final String HEADER = "Semel-Authorization";

    private ProxyIdentities() {}

    public static Function<HttpServerRequest, Identity> of(Settings settings) {
        Identities identities = settings.mode() == ServerMode.PRODUCTION
                ? new TokenIdentities(settings.tokens(), HEADER)
                : new LocalIdentities();
        return request -> {
            Identity identity = identities.of(request);
            if (!RouteAccess.USE.allows(identity.role())) {
                throw ProblemDetail.of(ProblemType.FORBIDDEN, "The token's role may not use this")
                        .asException();
            }
            return identity;
        };
    }
}
